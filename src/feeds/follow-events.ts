import { type Context, requireUser, type UserActor } from '../context.ts'
import type { LiveLog } from '../events/live-log.ts'
import type { LoggedEvent } from '../events/read-events.ts'
import { sequenceEvents } from '../events/sequence-events.ts'
import { positionAfter, positionNow } from './event-cursor.ts'
import { type EventFilter, type EventFilterInput, matches, readEventFilter } from './event-filter.ts'
import { nextEvents } from './list-events.ts'

/** The caller's right to the thread or group is checked at least this often. */
const recheckMs = 10_000
const checkedAtOnce = 100

type FollowArgs = EventFilterInput & { after?: string | null | undefined }

/**
 * Returns the events that the caller may hear, after a cursor or from now on, until the signal of the context aborts.
 * Ends with the error of a look-up if the caller can no longer see the thread or group of the filter.
 */
export async function followEvents(
  ctx: Context,
  liveLog: LiveLog,
  { after, ...input }: FollowArgs,
): Promise<AsyncGenerator<LoggedEvent, void, void>> {
  requireUser(ctx)
  const filter = await readEventFilter(ctx, input)
  const { workspaceID } = ctx.actor
  const start =
    after == null ? await positionNow(ctx.db, workspaceID) : await positionAfter(ctx.db, workspaceID, after)
  return heard(ctx, liveLog, { input, filter, start })
}

type Reader = { input: EventFilterInput; filter: EventFilter; start: number }

async function* heard(
  ctx: Context<UserActor>,
  liveLog: LiveLog,
  { input, filter, start }: Reader,
): AsyncGenerator<LoggedEvent, void, void> {
  const followed = liveLog.follow({
    db: ctx.db,
    workspaceID: ctx.actor.workspaceID,
    after: start,
    types: filter.types && [...filter.types],
    threadID: filter.threadID,
    idleMs: recheckMs,
    signal: ctx.signal ?? new AbortController().signal,
  })
  for await (const { events, upto } of followed) {
    yield* matching(ctx, filter, events)
    const failure = await failureOf(() => readEventFilter(ctx, input))
    if (!failure) continue
    yield* remaining(ctx, filter, upto)
    throw failure.error
  }
}

async function* matching(
  ctx: Context<UserActor>,
  filter: EventFilter,
  events: readonly LoggedEvent[],
): AsyncGenerator<LoggedEvent, void, void> {
  for (let begin = 0; begin < events.length; begin += checkedAtOnce) {
    const part = events.slice(begin, begin + checkedAtOnce)
    const isHeard = await Promise.all(part.map((event) => matches(ctx, filter, event)))
    yield* part.filter((_event, index) => isHeard[index])
  }
}

/** The events until now. One of them can be that the caller was removed. */
async function* remaining(
  ctx: Context<UserActor>,
  filter: EventFilter,
  after: number,
): AsyncGenerator<LoggedEvent, void, void> {
  await sequenceEvents(ctx.db)
  let page = { upto: after, isEnd: false }
  while (!page.isEnd) {
    const { events, ...rest } = await nextEvents(ctx, filter, { after: page.upto, size: checkedAtOnce })
    yield* events
    page = rest
  }
}

async function failureOf(check: () => Promise<unknown>): Promise<{ error: unknown } | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    return { error }
  }
}
