import { createContext, useContext } from 'react'

type ViewerState = {
  id: string
  /** The unread messages in DMs, and the unread mentions. */
  unreadCount: number
  permissions: readonly string[]
  /** Whether the person was created within the last week. */
  isNew: boolean
  /** Increases when pages must load their lists again: after an interruption, or when the role of the person changes. */
  listVersion: number
}

export const ViewerContext = createContext<ViewerState>({
  id: '',
  unreadCount: 0,
  permissions: [],
  isNew: false,
  listVersion: 0,
})

/** Returns the person who is signed in, and the state that all pages share. */
export function useViewer(): ViewerState {
  return useContext(ViewerContext)
}
