import type { Log, Receiver, SeenEvent } from '../history.ts'
import { statesFor, titleOf } from './check-readers.ts'
import type { Matches } from './match-events.ts'

/** Checks that an endpoint received each event that it can hear at least once, and the events of a thread in order. */
export function checkReceiver(receiver: Receiver, log: Log, matches: Matches): string[] {
  const problems = [
    ...strayReceipts(receiver, log),
    ...wrongReceipts(receiver, log, matches),
    ...wrongOrder(receiver, log),
  ]
  return problems.map((problem) => `${problem} (${receiver.name} by webhook)`)
}

/** Returns the time of the first receipt of each event. */
function firstReceipts({ receipts }: Receiver): Map<string, number> {
  return new Map(receipts.toReversed().map(({ eventID, at }) => [eventID, at]))
}

function strayReceipts({ receipts }: Receiver, { events }: Log): string[] {
  const known = new Set(events.map(({ id }) => id))
  const strays = receipts.filter(({ eventID }) => !known.has(eventID))
  return strays.map(({ eventID }) => `stray: ${eventID} is not in the log`)
}

function wrongReceipts(receiver: Receiver, { events }: Log, matches: Matches): string[] {
  const receipts = firstReceipts(receiver)
  return events.flatMap((event) => {
    const match = matches.get(event)
    const receivedAt = receipts.get(event.id)
    const isReceived = receivedAt !== undefined
    // If an event was not received, the service may have checked at any time whether the receiver has access.
    if (!match || statesFor(receiver, event, match, receivedAt).has(isReceived)) return []
    return [`${isReceived ? 'leaked' : 'lost'}: ${titleOf(event)} for ${match.audience}`]
  })
}

/** Finds events that first came after a later event of their thread. Repetitions do not count. */
function wrongOrder({ receipts }: Receiver, { events }: Log): string[] {
  const places = new Map(events.map((event, place) => [event.id, { event, place }]))
  const latest = new Map<string, number>()
  const seen = new Set<string>()
  return receipts.flatMap(({ eventID }) => {
    const found = places.get(eventID)
    if (!found || seen.has(eventID)) return []
    seen.add(eventID)
    const key = queueOf(found.event)
    const isLate = found.place < (latest.get(key) ?? 0)
    latest.set(key, Math.max(found.place, latest.get(key) ?? 0))
    return isLate ? [`reordered: ${titleOf(found.event)}`] : []
  })
}

function queueOf({ threadID, objectID }: SeenEvent): string {
  return threadID ?? objectID
}
