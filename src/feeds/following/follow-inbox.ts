import { type Context, requireScope, type UserActor } from '../../context.ts'
import type { LiveLog } from '../../events/live-log.ts'
import { personalSignals } from '../../events/personal-signals.ts'
import type { LoggedEvent, Place } from '../../events/read-events.ts'
import { mentionedAmong, threadsWithUnreadMentions } from '../../messages/mentions/unread-mentions.ts'
import { mineAmong } from '../../messages/mine/is-mine.ts'
import { RequestSignal } from '../../platform/request-signal.ts'
import { canHear } from '../can-hear.ts'
import { placeAfter, placeNow } from '../event-cursor.ts'
import { type InboxChange, InboxChanges } from './inbox-changes.ts'

const idleMs = 60_000

/** Returns the changes of the caller's list of threads, and of what the caller has read, until the signal aborts. */
export async function followInbox(
  ctx: Context,
  liveLog: LiveLog,
  after: string | null | undefined,
): Promise<AsyncGenerator<InboxChange[], void, void>> {
  requireScope(ctx, 'threads:read')
  const { workspaceID } = ctx.actor
  const start =
    after == null ? await placeNow(ctx.db, workspaceID) : await placeAfter(ctx.db, workspaceID, after)
  return changes(ctx, liveLog, start)
}

async function* changes(
  ctx: Context<UserActor>,
  liveLog: LiveLog,
  start: Place,
): AsyncGenerator<InboxChange[], void, void> {
  const { actor, db, signal = new RequestSignal() } = ctx
  const inbox = new InboxChanges(start)
  const stopListening = personalSignals(db).listen(actor, (threadID) => inbox.add([threadID || undefined]))
  const followed = liveLog.follow({
    db,
    workspaceID: actor.workspaceID,
    after: start,
    types: undefined,
    threadID: undefined,
    idleMs,
    signal,
  })
  const read = async () => {
    const mentioning = new Set(await threadsWithUnreadMentions(ctx))
    for await (const { events, upto } of followed)
      inbox.add(await changedThreads(ctx, events, mentioning), upto)
  }
  const reading = read().finally(() => inbox.close())
  // If the subscriber leaves early, nothing awaits this promise. Its error must not end the process.
  reading.catch(() => undefined)
  try {
    for (let next = await inbox.take(); next; next = await inbox.take()) yield next
    await reading
  } finally {
    stopListening()
    inbox.close()
  }
}

/**
 * Returns an entry for each event that changes the caller's inbox: the ID of the changed thread, or undefined if the
 * caller joined or left a group. Skips events that the caller is not allowed to receive, and threads that neither concern
 * nor mention the caller. `mentioning` keeps the threads that did, because a change can remove the mention.
 */
async function changedThreads(
  ctx: Context<UserActor>,
  events: readonly LoggedEvent[],
  mentioning: Set<string>,
): Promise<(string | undefined)[]> {
  const { userID } = ctx.actor
  const relevant = events.filter(
    ({ type, threadID, details }) =>
      (threadID !== null && !type.startsWith('reaction') && type !== 'message.buttonPressed') ||
      (type.startsWith('members') && details?.userIDs?.includes(userID)),
  )
  const known = await Promise.all(relevant.map((event) => canHear(ctx, event)))
  const heard = relevant.filter((_event, index) => known[index])
  const threadIDs = [...new Set(heard.flatMap(({ threadID }) => threadID ?? []))]
  const mine = await mineAmong(ctx, threadIDs)
  for (const id of await mentionedAmong(ctx, threadIDs)) mentioning.add(id)
  // Without its former recipient, a thread may concern the caller no longer.
  return heard
    .filter(
      ({ type, threadID }) =>
        threadID === null || mine.has(threadID) || mentioning.has(threadID) || type === 'recipients.removed',
    )
    .map(({ threadID }) => threadID ?? undefined)
}
