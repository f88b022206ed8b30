import { createContext, useContext } from 'react'

/** A message with the text that its author edits. */
export type EditableMessage = { id: string; text: string }

export const EditMessageContext = createContext<(message: EditableMessage) => void>(() => {})

/** Returns a function that opens a message of the thread in the composer. */
export function useEditMessage(): (message: EditableMessage) => void {
  return useContext(EditMessageContext)
}
