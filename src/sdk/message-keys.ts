import type { SendMessageInput } from '../generated/sdk.ts'
import { checkInput } from './check-options.ts'

/**
 * Adds a random `uniqueBy`, and a random `threadBy` if the message opens a thread, unless the input has them. If the
 * input is sent again, it then updates the same message. A new thread with a `threadBy` needs a subject or a
 * `fromMessageID`. Therefore an input with neither gets no `threadBy`. If such an input has several recipients and no
 * `threadBy` of its own, it is not repeatable, because a retry can open another thread.
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
