import { type Context, requireUser, type UserActor } from '../../context.ts'
import type { LiveLog } from '../../events/live-log.ts'
import type { LoggedEvent, Place } from '../../events/read-events.ts'
import { sequenceEvents } from '../../events/sequence-events.ts'
import { RequestSignal } from '../../platform/request-signal.ts'
import { placeAfter, placeNow } from '../event-cursor.ts'
import { type EventFilter, type EventFilterInput, matches, readEventFilter } from '../event-filter.ts'
import { nextEvents } from '../matching-events.ts'

/** The caller's right to the thread or group is checked at least this often. */
const recheckMs = 10_000
const checkedAtOnce = 100

type Batches = AsyncGenerator<LoggedEvent[], void, void>
type FollowArgs = EventFilterInput & { after?: string | null | undefined }

/**
 * Returns batches of the events that the caller is allowed to receive, after a cursor or from now on, until the signal
 * aborts. If the caller can no longer see the thread or group of the filter, throws the same error as a new call.
 */
export async function followEvents(
  ctx: Context,
  liveLog: LiveLog,
  { after, ...input }: FollowArgs,
): Promise<Batches> {
  requireUser(ctx)
  const filter = await readEventFilter(ctx, input)
  const { workspaceID } = ctx.actor
  const start =
    after == null ? await placeNow(ctx.db, workspaceID) : await placeAfter(ctx.db, workspaceID, after)
  return batches(ctx, liveLog, { input, filter, start })
}

type Reader = { input: EventFilterInput; filter: EventFilter; start: Place }

async function* batches(
  ctx: Context<UserActor>,
  liveLog: LiveLog,
  { input, filter, start }: Reader,
): Batches {
  const followed = liveLog.follow({
    db: ctx.db,
    workspaceID: ctx.actor.workspaceID,
    after: start,
    types: filter.types && [...filter.types],
    threadID: filter.threadID,
    idleMs: recheckMs,
    signal: ctx.signal ?? new RequestSignal(),
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
): Batches {
  for (let begin = 0; begin < events.length; begin += checkedAtOnce) {
    const part = events.slice(begin, begin + checkedAtOnce)
    const isHeard = await Promise.all(part.map((event) => matches(ctx, filter, event)))
    const received = part.filter((_event, index) => isHeard[index])
    if (received.length > 0) yield received
  }
}

/** Yields the rest of the events until now. One of them may report that the caller was removed. */
async function* remaining(ctx: Context<UserActor>, filter: EventFilter, after: Place): Batches {
  await sequenceEvents(ctx.db)
  let page = { upto: after, isEnd: false }
  while (!page.isEnd) {
    const { events, ...rest } = await nextEvents(ctx, filter, { after: page.upto, size: checkedAtOnce })
    if (events.length > 0) yield events
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
