import { type Context, requireUser } from '../context.ts'
import type { Connection } from '../database/connection.ts'
import { invalidField } from '../errors.ts'
import { type LoggedEvent, readEvents } from '../events/read-events.ts'
import { sequenceEvents } from '../events/sequence-events.ts'
import { eventCursor, positionAfter, positionNow } from './event-cursor.ts'
import { type EventFilter, type EventFilterInput, matches, readEventFilter } from './event-filter.ts'

const defaultPageSize = 50
const maxPageSize = 100
/** A page ends after this many events, whether or not they match. The next page continues there. */
const scannedPerPage = 10_000
const checkedAtOnce = 100

type EventArgs = EventFilterInput & { first?: number | null | undefined; after?: string | null | undefined }

/** Returns the events after a cursor, oldest first. `endCursor` is never null: a reader continues there. */
export async function listEvents(
  ctx: Context,
  { first, after, ...input }: EventArgs,
): Promise<Connection<LoggedEvent>> {
  requireUser(ctx)
  const size = first ?? defaultPageSize
  if (size < 1 || size > maxPageSize) throw invalidField('first', `must be between 1 and ${maxPageSize}`)
  const filter = await readEventFilter(ctx, input)
  const { db, actor } = ctx
  await sequenceEvents(db)
  const start = await positionAfter(db, actor.workspaceID, after)
  const { events, upto, isEnd } = await nextEvents({ ...ctx, actor }, filter, { after: start, size })
  const end = eventCursor(upto)
  return {
    nodes: events,
    edges: events.map((node) => ({ node, cursor: eventCursor(node.position) })),
    pageInfo: {
      hasNextPage: !isEnd,
      hasPreviousPage: start > 0,
      startCursor: events[0] ? eventCursor(events[0].position) : end,
      endCursor: end,
    },
  }
}

/** Returns the cursor of the last event. A reader that begins after it misses nothing that is committed later. */
export async function latestEventCursor(ctx: Context): Promise<string> {
  requireUser(ctx)
  return eventCursor(await positionNow(ctx.db, ctx.actor.workspaceID))
}

type Next = { events: LoggedEvent[]; upto: number; isEnd: boolean }

/** Returns up to `size` events that match. `upto` is the position to which the log was read. */
export async function nextEvents(
  ctx: Parameters<typeof matches>[0],
  filter: EventFilter,
  { after, size }: { after: number; size: number },
): Promise<Next> {
  const events: LoggedEvent[] = []
  const filtered = {
    types: filter.types && [...filter.types],
    threadIDs: filter.threadID === undefined ? undefined : [filter.threadID],
  }
  let upto = after
  while (upto - after < scannedPerPage) {
    const read = await readEvents(ctx.db, { workspaceID: ctx.actor.workspaceID, after: upto, ...filtered })
    if (read.upto === upto) return { events, upto, isEnd: true }
    for (let begin = 0; begin < read.events.length; begin += checkedAtOnce) {
      const part = read.events.slice(begin, begin + checkedAtOnce)
      const matching = await Promise.all(part.map((event) => matches(ctx, filter, event)))
      for (const [index, event] of part.entries()) {
        if (!matching[index]) continue
        events.push(event)
        if (events.length === size) return { events, upto: event.position, isEnd: false }
      }
    }
    upto = read.upto
  }
  return { events, upto, isEnd: false }
}
