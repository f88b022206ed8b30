import { createContext, useContext } from 'react'

/** A message with the text that its author edits. */
export type Draft = { id: string; text: string }

type Conversation = { viewerID: string; edit: (message: Draft) => void }

export const ConversationContext = createContext<Conversation>({ viewerID: '', edit: () => {} })

/** Returns who reads the thread, and how to edit a message of it. */
export function useConversation(): Conversation {
  return useContext(ConversationContext)
}
