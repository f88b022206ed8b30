import type { Context, UserActor } from '../context.ts'
import { type LoggedEvent, type Place, readEvents } from '../events/read-events.ts'
import { type EventFilter, matches } from './event-filter.ts'

/** A page ends after this many events, whether or not they match. The next page continues there. */
const scannedPerPage = 10_000
const checkedAtOnce = 100
/** The log is read backward in steps of this many events. */
const eventsPerStep = 1000

type Next = { events: LoggedEvent[]; upto: Place; isEnd: boolean }

/** Returns up to `size` events that match. `upto` is the place to which the log was read. */
export async function nextEvents(
  ctx: Context<UserActor>,
  filter: EventFilter,
  { after, size }: { after: Place; size: number },
): Promise<Next> {
  const events: LoggedEvent[] = []
  const { workspaceID } = ctx.actor
  const filtered = inLog(filter)
  let upto = after
  while (upto.position - after.position < scannedPerPage) {
    const read = await readEvents(ctx.db, { workspaceID, after: upto.position, ...filtered })
    if (!read.upto) return { events, upto, isEnd: true }
    for (let begin = 0; begin < read.events.length; begin += checkedAtOnce) {
      const part = read.events.slice(begin, begin + checkedAtOnce)
      const matching = await Promise.all(part.map((event) => matches(ctx, filter, event)))
      for (const [index, event] of part.entries()) {
        if (!matching[index]) continue
        events.push(event)
        if (events.length === size) return { events, upto: event, isEnd: false }
      }
    }
    upto = read.upto
  }
  return { events, upto, isEnd: false }
}

/** `end` is the position of the last event of the range, and `kept` the position before its first event. */
type Range = { end: number; kept: number; size: number }

/** Returns up to `size` events that match, oldest first. The log was read back to the position `after`. */
export async function previousEvents(
  ctx: Context<UserActor>,
  filter: EventFilter,
  { end, kept, size }: Range,
): Promise<{ events: LoggedEvent[]; after: number }> {
  const newestFirst: LoggedEvent[] = []
  let upto = end
  while (upto > kept && end - upto < scannedPerPage) {
    const after = Math.max(upto - eventsPerStep, kept)
    const read = (await eventsBetween(ctx, filter, { after, upto })).reverse()
    for (let begin = 0; begin < read.length; begin += checkedAtOnce) {
      const part = read.slice(begin, begin + checkedAtOnce)
      const matching = await Promise.all(part.map((event) => matches(ctx, filter, event)))
      for (const [index, event] of part.entries()) {
        if (!matching[index]) continue
        newestFirst.push(event)
        if (newestFirst.length === size) return { events: newestFirst.reverse(), after: event.position - 1 }
      }
    }
    upto = after
  }
  return { events: newestFirst.reverse(), after: Math.min(upto, end) }
}

async function eventsBetween(
  { db, actor: { workspaceID } }: Context<UserActor>,
  filter: EventFilter,
  { after, upto }: { after: number; upto: number },
): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = []
  for (let position = after; position < upto; ) {
    const read = await readEvents(db, { workspaceID, after: position, ...inLog(filter) })
    if (!read.upto) break
    events.push(...read.events.filter(({ position }) => position <= upto))
    position = read.upto.position
  }
  return events
}

/** Returns the part of a filter that the database checks. */
function inLog({ types, threadID }: EventFilter) {
  return { types: types && [...types], threadIDs: threadID === undefined ? undefined : [threadID] }
}
