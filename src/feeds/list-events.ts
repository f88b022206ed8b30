import { type Context, requireUser, type UserActor } from '../context.ts'
import type { Connection } from '../database/connection.ts'
import { type PageArgs, pageSizeOf } from '../database/paging.ts'
import { invalidField } from '../errors.ts'
import type { LoggedEvent } from '../events/read-events.ts'
import { sequenceEvents } from '../events/sequence-events.ts'
import { eventCursor, placeAfter, placeAt, placeNow, rangeBefore } from './event-cursor.ts'
import { type EventFilter, type EventFilterInput, readEventFilter } from './event-filter.ts'
import { nextEvents, previousEvents } from './matching-events.ts'

/** Returns a page of events, oldest first. Its cursors are never null: a reader continues there. */
export async function listEvents(
  ctx: Context,
  { first, after, last, before, ...input }: EventFilterInput & PageArgs,
): Promise<Connection<LoggedEvent>> {
  requireUser(ctx)
  const { size } = pageSizeOf({ first, last }, 1)
  const isBackward = last != null || before != null
  if (isBackward && after != null) throw invalidField('after', 'cannot be used together with last or before')
  if (first != null && before != null) throw invalidField('before', 'cannot be used together with first')
  const filter = await readEventFilter(ctx, input)
  const { db, actor } = ctx
  await sequenceEvents(db)
  if (isBackward) return pageBefore({ ...ctx, actor }, filter, { before, size })
  const start = await placeAfter(db, actor.workspaceID, after)
  const { events, upto, isEnd } = await nextEvents({ ...ctx, actor }, filter, { after: start, size })
  return pageWith(events, {
    hasNextPage: !isEnd,
    hasPreviousPage: start.position > 0,
    startCursor: eventCursor(events[0] ?? upto),
    endCursor: eventCursor(upto),
  })
}

async function pageBefore(
  ctx: Context<UserActor>,
  filter: EventFilter,
  { before, size }: { before: string | null | undefined; size: number },
): Promise<Connection<LoggedEvent>> {
  const { workspaceID } = ctx.actor
  const { head, kept, end } = await rangeBefore(ctx.db, workspaceID, before)
  const { events, after } = await previousEvents(ctx, filter, { end, kept, size })
  return pageWith(events, {
    hasNextPage: end < head,
    hasPreviousPage: after > kept,
    startCursor: eventCursor(await placeAt(ctx.db, workspaceID, after + 1)),
    endCursor: eventCursor(await placeAt(ctx.db, workspaceID, end)),
  })
}

function pageWith(
  nodes: LoggedEvent[],
  pageInfo: Connection<LoggedEvent>['pageInfo'],
): Connection<LoggedEvent> {
  return { nodes, edges: nodes.map((node) => ({ node, cursor: eventCursor(node) })), pageInfo }
}

/** Returns the cursor of the last event. A reader that begins after it misses nothing that is committed later. */
export async function latestEventCursor(ctx: Context): Promise<string> {
  requireUser(ctx)
  return eventCursor(await placeNow(ctx.db, ctx.actor.workspaceID))
}
