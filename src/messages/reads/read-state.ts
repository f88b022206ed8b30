import { type Context, requireScope, type UserActor } from '../../context.ts'
import { rowLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { Prisma, type Thread } from '../../generated/prisma/client.ts'
import { findMessageAt, messagesFrom } from '../access.ts'
import type { AuthoredMessage } from '../rows.ts'
import { calledAgain, calledColumns } from './called-again.ts'

/**
 * `ownTotal` counts the user's own messages, and `ownRead` those up to `readUpTo`. Own messages are never unread.
 * `calledAgain` counts the messages up to `readUpTo` that called after they were read. `firstCalled` is the position of
 * the one that called first.
 */
export type ReadState = {
  lastPosition: number
  readUpTo: number
  ownTotal: number
  ownRead: number
  calledAgain: number
  firstCalled: number | null
}

export type ThreadWithReadState = Thread & { readState?: ReadState }

// One statement reads the last position and the counts of own messages. A position from an earlier statement would
// make the unread count too low.
const loadReadState = rowLoader(async (ctx: Context<UserActor>, workspaceID, threadIDs) => {
  const { userID } = ctx.actor
  const threadID = Prisma.sql`wanted.thread_id`
  const rows = await query<ReadState & { threadID: string }>(
    ctx.db,
    Prisma.sql`
    SELECT wanted.thread_id AS "threadID", t.last_position AS "lastPosition", coalesce(known.read_up_to, 0) AS "readUpTo",
      coalesce(known.own_total, 0) AS "ownTotal", coalesce(known.own_read, 0) AS "ownRead",
      called.*
    FROM unnest(${threadIDs}::text[]) AS wanted (thread_id)
    CROSS JOIN LATERAL (
      SELECT last_position, called_at FROM threads
      WHERE workspace_id = ${workspaceID} AND id = wanted.thread_id OFFSET 0) AS t
    LEFT JOIN LATERAL (
      SELECT * FROM reads
      WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND thread_id = ${threadID} OFFSET 0
    ) AS known ON TRUE
    CROSS JOIN LATERAL (
      SELECT ${calledColumns} ${calledAgain({
        workspaceID,
        threadID,
        calledAt: Prisma.sql`t.called_at`,
        userID,
      })}) AS called`,
  )
  return new Map(rows.map(({ threadID, ...state }) => [threadID, state]))
})

const loadFirstOfOthers = rowLoader((ctx: Context<UserActor>, workspaceID, positionKeys) =>
  messagesFrom(
    ctx,
    positionKeys,
    Prisma.sql`
    SELECT * FROM messages
    WHERE workspace_id = ${workspaceID} AND thread_id = wanted.thread_id AND position > wanted.position
      AND author_id <> ${ctx.actor.userID}
    ORDER BY position LIMIT 1`,
  ),
)

async function readStateOf(
  ctx: Context,
  { workspaceID, id, readState }: ThreadWithReadState,
): Promise<ReadState> {
  requireScope(ctx, 'threads.messages:read')
  const state = readState ?? (await loadReadState(ctx, workspaceID, id))
  return state ?? { lastPosition: 0, readUpTo: 0, ownTotal: 0, ownRead: 0, calledAgain: 0, firstCalled: null }
}

function unreadAfter({ lastPosition, readUpTo, ownTotal, ownRead }: ReadState): number {
  return lastPosition - readUpTo - (ownTotal - ownRead)
}

export async function countUnread(ctx: Context, thread: ThreadWithReadState): Promise<number> {
  const state = await readStateOf(ctx, thread)
  return unreadAfter(state) + state.calledAgain
}

/** Returns the last message that the caller has read, or the last message of the thread if no message after it is unread. */
export async function findReadUpTo(
  ctx: Context,
  thread: ThreadWithReadState,
): Promise<AuthoredMessage | undefined> {
  const state = await readStateOf(ctx, thread)
  const { lastPosition, readUpTo } = state
  return findMessageAt(ctx, { ...thread, lastPosition }, unreadAfter(state) === 0 ? lastPosition : readUpTo)
}

export async function findFirstUnread(
  ctx: Context,
  thread: ThreadWithReadState,
): Promise<AuthoredMessage | undefined> {
  requireScope(ctx, 'threads.messages:read')
  const state = await readStateOf(ctx, thread)
  if (unreadAfter(state) + state.calledAgain === 0) return undefined
  const before = state.firstCalled === null ? state.readUpTo : state.firstCalled - 1
  return loadFirstOfOthers(ctx, thread.workspaceID, `${thread.id} ${before}`)
}
