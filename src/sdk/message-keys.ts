import type { SendMessageInput } from '../generated/sdk.ts'
import { checkInput } from './check-options.ts'

/** Adds the keys that `Skein.sendMessage` describes, and returns whether a retry is safe. */
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
