import type { SendMessageInput } from '../generated/sdk.ts'

/**
 * The input with a random `uniqueBy`, and `threadBy` where it opens a thread, unless they are given: then sending it
 * again updates what it made. A thread of several recipients without a subject is the one that takes no `threadBy`,
 * so whether it was made cannot be found out by trying again.
 */
export function withKeys(input: SendMessageInput): { input: SendMessageInput; isRepeatable: boolean } {
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
