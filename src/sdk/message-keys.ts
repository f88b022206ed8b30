import type { SendMessageInput } from '../generated/sdk.ts'
import { checkInput } from './check-options.ts'

/**
 * Returns the input with a random `uniqueBy`, and with a random `threadBy` if the message opens a thread.
 * Keeps the keys that the input already has. If the input is sent again, it updates the message that the first
 * request created, in the same thread. A new thread with several recipients and no subject gets no random
 * `threadBy`. Such an input is not repeatable, because a retry cannot find out whether the thread was created.
 * Throws a TypeError if the input does not fit the schema.
 */
export function withKeys(input: SendMessageInput): { input: SendMessageInput; isRepeatable: boolean } {
  checkInput('SendMessageInput', input)
  const message = { ...input.message, uniqueBy: input.message.uniqueBy ?? crypto.randomUUID() }
  const { thread } = input
  if (!thread) return { input: { ...input, message }, isRepeatable: true }
  if (thread.subject == null && thread.fromMessageID == null) {
    const isRepeatable = thread.threadBy != null || thread.recipients.length === 1
    return { input: { ...input, message }, isRepeatable }
  }
  const threadBy = thread.threadBy ?? crypto.randomUUID()
  return { input: { ...input, thread: { ...thread, threadBy }, message }, isRepeatable: true }
}
