import type { Access, Interval, Turn } from '../history.ts'

/** Returns the states that the reader may have had in the interval: present (true), absent (false), or both. */
export function possibleStates(access: Access[keyof Access], { startedAt, endedAt }: Interval): Set<boolean> {
  if (typeof access === 'boolean') return new Set([access])
  const isPossible = (turn: Turn, index: number) =>
    turn.startedAt <= endedAt && (access[index + 1]?.endedAt ?? Number.POSITIVE_INFINITY) >= startedAt
  return new Set(access.filter(isPossible).map(({ isPresent }) => isPresent))
}

/** Returns whether the reader has access after the run. */
export function finalState(access: Access[keyof Access]): boolean {
  return typeof access === 'boolean' ? access : (access.at(-1)?.isPresent ?? false)
}
