import type { Hearer, Log, Observation, Reader, SeenEvent } from '../history.ts'
import { possibleStates } from './access.ts'
import type { Match, Matches } from './match-events.ts'

/** Compares what a reader saw with the log. */
export function checkReader(reader: Reader, log: Log, matches: Matches): string[] {
  const problems = [
    ...strayEvents(reader, log),
    ...repeats(reader.observations),
    ...wrongSelection(reader, log, matches),
    ...latePages(reader, log, matches),
  ]
  return problems.map((problem) => `${problem} (${reader.name})`)
}

function eventAt({ after, events }: Log, position: number): SeenEvent | undefined {
  return events[position - after - 1]
}

export function titleOf({ type, objectID }: SeenEvent): string {
  return `${type} ${objectID}`
}

function strayEvents({ observations }: Reader, log: Log): string[] {
  return observations.flatMap(({ event, position }) => {
    const logged = eventAt(log, position)
    if (!event || (logged?.id === event.id && titleOf(logged) === titleOf(event))) return []
    return [`stray: ${titleOf(event)} is not at position ${position} of the log`]
  })
}

function repeats(observations: Observation[]): string[] {
  let last = 0
  return observations.flatMap(({ event, position }) => {
    if (!event) return []
    const problem = position === last ? 'doubled' : position < last ? 'reordered' : undefined
    last = Math.max(last, position)
    return problem ? [`${problem}: ${titleOf(event)} at position ${position}`] : []
  })
}

/**
 * Returns the events that the reader missed, or saw without permission. While a permission changes, the reader may see
 * or miss an event.
 */
function wrongSelection(reader: Reader, log: Log, matches: Matches): string[] {
  const { observations } = reader
  const seen = new Set(observations.filter(({ event }) => event).map(({ position }) => position))
  const passes = passTimes(observations)
  return log.events.flatMap((event, index) => {
    const position = log.after + index + 1
    const match = matches.get(event)
    const isSeen = seen.has(position)
    if (!match || statesFor(reader, event, match, passes(position)).has(isSeen)) return []
    return [`${isSeen ? 'leaked' : 'lost'}: ${titleOf(event)} at position ${position} for ${match.audience}`]
  })
}

/** Returns whether the hearer must see an event (true), must not see it (false), or may see it (both values). */
export function statesFor(
  { access, userID, threadID }: Hearer,
  event: SeenEvent,
  { made, audience }: Match,
  passedAt: number | undefined,
): Set<boolean> {
  if (threadID !== undefined && event.threadID !== threadID) return new Set([false])
  const { type, userIDs, recipientIDs } = event
  const removed = type === 'membersRemoved' ? userIDs : type === 'recipientsRemoved' ? recipientIDs : null
  if (removed?.includes(userID)) return new Set([true])
  // The right is checked after the change is made, and before the reader passes the event.
  const endedAt = passedAt ?? Number.POSITIVE_INFINITY
  return possibleStates(access[audience], { startedAt: made.startedAt, endedAt })
}

/** Returns a function for the time at which the reader passed a position. Call it with ascending positions. */
function passTimes(observations: Observation[]): (position: number) => number | undefined {
  let index = 0
  return (position) => {
    while (index < observations.length && (observations[index]?.position ?? 0) < position) index += 1
    return observations[index]?.at
  }
}

/** Finds events that a last page should have contained: they were acknowledged before the request, but seen later. */
function latePages({ observations }: Reader, log: Log, matches: Matches): string[] {
  let requestedAt = 0
  return observations.flatMap(({ page, event, position }) => {
    if (page?.isLast) requestedAt = page.requestedAt
    const logged = event && eventAt(log, position)
    const made = logged && matches.get(logged)?.made
    if (!event || !made || made.endedAt >= requestedAt) return []
    return [`late: ${titleOf(event)} was acknowledged before the last page was requested`]
  })
}
