import { readStored } from '../storage/browser-storage.ts'
import type { Target } from './target.ts'

export type Outgoing = {
  /** The `uniqueBy` of the message. Sending it again with the same key never creates a second message. */
  key: string
  /** The target when the person sent the message. Later changes to the recipient field do not affect it. */
  target: Target
  text: string
  files: readonly { id: string; name: string }[]
  /** Null while the message is being sent. */
  problem: string | null
  /** Whether the service may have received the message although it did not confirm it. */
  mayHaveArrived?: boolean
  /** Whether the message failed because the service could not be reached. Its page sends it when the connection is restored. */
  isUnreachable?: boolean
  /** The ID of the page that sent the message last. */
  page: string
  /** The IDs of the files that the service has deleted, because no message used them within a day. */
  missingFiles?: readonly string[]
}

/** Returns the messages that this browser has stored. Skips entries that are not valid. */
export function storedMessages(storedAs: string): readonly Outgoing[] {
  try {
    const items: unknown = JSON.parse(readStored(storedAs) ?? '[]')
    return Array.isArray(items) ? items.filter(isOutgoing) : []
  } catch {
    return []
  }
}

function isOutgoing(item: Partial<Outgoing> | null): item is Outgoing {
  const { key, target, text, files, page } = item ?? {}
  const areTexts = [key, text, page].every((value) => typeof value === 'string')
  return areTexts && typeof target === 'object' && Array.isArray(files)
}
