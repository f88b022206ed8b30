import { createContext, useContext } from 'react'

type ViewerState = {
  id: string
  unreadThreadCount: number
  /** Grows when lists of threads must be loaded again, for example after an interruption. */
  listVersion: number
}

export const ViewerContext = createContext<ViewerState>({ id: '', unreadThreadCount: 0, listVersion: 0 })

/** Returns the person who is signed in, with what the whole page needs to know. */
export function useViewer(): ViewerState {
  return useContext(ViewerContext)
}
