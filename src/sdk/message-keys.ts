import type { SendMessageInput } from '../generated/sdk.ts'
import { check, is } from './check-options.ts'

/**
 * The input with a random `uniqueBy`, and `threadBy` where it opens a thread, unless they are given: then sending it
 * again updates what it made. A thread of several recipients without a subject is the one that takes no `threadBy`,
 * so whether it was made cannot be found out by trying again. Throws a TypeError for what is missing.
 */
export function withKeys(input: SendMessageInput): { input: SendMessageInput; isRepeatable: boolean } {
  check({ input }, { input: is.object })
  check({ message: input.message }, { message: is.object })
  check({ 'message.text': input.message.text }, { 'message.text': is.string })
  const message = { ...input.message, uniqueBy: input.message.uniqueBy ?? crypto.randomUUID() }
  const { thread } = input
  if (!thread) return { input: { ...input, message }, isRepeatable: true }
  check({ 'thread.recipients': thread.recipients }, { 'thread.recipients': is.list })
  if (thread.subject == null && thread.fromMessageID == null) {
    const isRepeatable = thread.threadBy != null || thread.recipients.length === 1
    return { input: { ...input, message }, isRepeatable }
  }
  const threadBy = thread.threadBy ?? crypto.randomUUID()
  return { input: { ...input, thread: { ...thread, threadBy }, message }, isRepeatable: true }
}
