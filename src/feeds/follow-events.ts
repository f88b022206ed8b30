import { type Context, requireUser, type UserActor } from '../context.ts'
import type { LiveLog } from '../events/live-log.ts'
import type { LoggedEvent } from '../events/read-events.ts'
import { positionAfter, positionNow } from './event-cursor.ts'
import { type EventFilterInput, matches, readEventFilter } from './event-filter.ts'

/** The caller's right to the thread or group is checked at least this often. */
const recheckMs = 10_000
const checkedAtOnce = 100

type FollowArgs = EventFilterInput & { after?: string | null | undefined }

/**
 * Returns batches of the events that the caller is allowed to receive, after a cursor or from now on, until the signal aborts.
 * Ends with the error of a look-up if the caller can no longer see the thread or group of the filter.
 */
export async function followEvents(
  ctx: Context,
  liveLog: LiveLog,
  { after, ...input }: FollowArgs,
): Promise<AsyncGenerator<LoggedEvent[], void, void>> {
  requireUser(ctx)
  const filter = await readEventFilter(ctx, input)
  const { workspaceID } = ctx.actor
  const start =
    after == null ? await positionNow(ctx.db, workspaceID) : await positionAfter(ctx.db, workspaceID, after)
  return batches(ctx, liveLog, { input, filter, start })
}

type Reader = { input: EventFilterInput; filter: Awaited<ReturnType<typeof readEventFilter>>; start: number }

async function* batches(
  ctx: Context<UserActor>,
  liveLog: LiveLog,
  { input, filter, start }: Reader,
): AsyncGenerator<LoggedEvent[], void, void> {
  const followed = liveLog.follow({
    workspaceID: ctx.actor.workspaceID,
    after: start,
    types: filter.types && [...filter.types],
    threadID: filter.threadID,
    idleMs: recheckMs,
    signal: ctx.signal ?? new AbortController().signal,
  })
  for await (const { events } of followed) {
    for (let begin = 0; begin < events.length; begin += checkedAtOnce) {
      const part = events.slice(begin, begin + checkedAtOnce)
      const matching = await Promise.all(part.map((event) => matches(ctx, filter, event)))
      const received = part.filter((_event, index) => matching[index])
      if (received.length > 0) yield received
    }
    await readEventFilter(ctx, input)
  }
}
