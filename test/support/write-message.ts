import type { Database } from '../../src/database/database.ts'
import { appendMessage } from '../../src/messages/send/append-message.ts'
import type { Draft, ThreadKey, WriteResult } from '../../src/messages/send/draft.ts'

/** Appends a message by the statement of the service. Throws if nothing was written. */
export async function writeMessage(db: Database, thread: ThreadKey, draft: Draft): Promise<WriteResult> {
  const written = await appendMessage(db, thread, draft)
  if (typeof written === 'string') throw new Error(`Nothing was written: ${written}`)
  return written
}
