import { isSameDay } from '../../text/time.ts'

type Sent = {
  createdAt: string
  user: { id: string }
  senderName: string | null | undefined
  origin: { kind: string; via: string | null | undefined }
  event?: object | null
}

const longestPauseMs = 5 * 60_000

/**
 * Returns whether a message continues the one before it. Then its row does not repeat who wrote it. What a program writes
 * stands alone, because each of its messages reports something else.
 */
export function isContinued(message: Sent, previous: Sent | undefined): boolean {
  if (!previous || previous.event || message.event || message.origin.kind !== 'session') return false
  if (writerOf(previous) !== writerOf(message)) return false
  const pauseMs = Date.parse(message.createdAt) - Date.parse(previous.createdAt)
  return pauseMs < longestPauseMs && isSameDay(message.createdAt, previous.createdAt)
}

function writerOf({ user, senderName, origin: { kind, via } }: Sent): string {
  return JSON.stringify([user.id, senderName, kind, via])
}
