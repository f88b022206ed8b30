import { isSameDay } from '../../text/time.ts'

type Sent = { createdAt: string; user: { id: string }; event?: object | null }

const longestPauseMs = 5 * 60_000

/** Returns whether a message continues the one before it. Then its row does not repeat the author. */
export function isContinued(message: Sent, previous: Sent | undefined): boolean {
  if (!previous || previous.event || message.event || previous.user.id !== message.user.id) return false
  const pauseMs = Date.parse(message.createdAt) - Date.parse(previous.createdAt)
  return pauseMs < longestPauseMs && isSameDay(message.createdAt, previous.createdAt)
}
