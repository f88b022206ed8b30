import type { SendMessageInput } from '../generated/sdk.ts'
import { checkInput } from './check-options.ts'

/**
 * Adds a random `uniqueBy`, so that a retry finds the same message. Adds a random `threadBy` if the message
 * opens a thread with a subject or `fromMessageID`, so that a retry finds the same thread. A message to
 * several recipients without a subject, `fromMessageID` or `threadBy` is not repeatable, because a retry could
 * open another thread.
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
