import { type Context, requireScope, type UserActor } from '../../context.ts'
import { rowLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { Prisma, type Thread } from '../../generated/prisma/client.ts'
import { findMessageAt, messagesFrom } from '../access.ts'
import type { AuthoredMessage } from '../rows.ts'
import { countOwnUpTo } from './count-own-messages.ts'
import { type Reader, threadFloor } from './floors.ts'

/** Returns a join for a thread `t` that adds the row `known`: the user's row of `reads`, or nulls. */
export function joinKnown({ workspaceID, userID }: Reader): Prisma.Sql {
  return Prisma.sql`LEFT JOIN LATERAL (
      SELECT * FROM reads WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND thread_id = t.id OFFSET 0
    ) AS known ON TRUE`
}

/**
 * Returns joins for a thread `t` that add the row `state`: what a user has read of it. `read_up_to` is a position,
 * `unread_after` the number of unread messages after it, and `calls_read_up_to` the time up to which calls are read.
 * Own messages, deleted messages and lines about events are never unread. A row of `reads` that was kept is not moved by
 * an earlier floor. The rows `known` and `floor` are added, too.
 */
export function readStateOf(reader: Reader): Prisma.Sql {
  const { workspaceID, userID } = reader
  const position = Prisma.sql`read.read_up_to`
  return Prisma.sql`
    ${joinKnown(reader)}
    CROSS JOIN LATERAL (SELECT ${threadFloor(reader)} AS at OFFSET 0) AS floor
    CROSS JOIN LATERAL (
      SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to = t.last_position
          THEN coalesce(known.read_up_to, 0)
        WHEN t.last_activity_at <= floor.at THEN t.last_position
        ELSE greatest(known.read_up_to, position_at(${workspaceID}, t.id, t.last_position, floor.at)) END AS read_up_to,
        CASE WHEN known.kept_at > floor.at THEN coalesce(known.calls_read_up_to, '-infinity')
          ELSE greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to OFFSET 0
    ) AS read
    CROSS JOIN LATERAL (
      SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0)
        + ${countOwnUpTo(position, reader)} - (
        SELECT count(*)::integer FROM messages m
        WHERE m.workspace_id = ${workspaceID} AND m.thread_id = t.id AND m.position > read.read_up_to
          AND m.author_id <> ${userID} AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)) AS unread_after OFFSET 0
    ) AS state`
}

/**
 * Returns the part of a SELECT from FROM on, for the messages `m` of a thread `t` that a user has read, and that called
 * again since. Needs the row `state`. Without a later call in the thread, no message is read from the database.
 */
export function calledAgain({ workspaceID, userID }: Reader): Prisma.Sql {
  return Prisma.sql`FROM messages m
      WHERE t.called_at > state.calls_read_up_to AND m.workspace_id = ${workspaceID} AND m.thread_id = t.id
        AND m.called_at > state.calls_read_up_to AND m.position <= state.read_up_to AND m.author_id <> ${userID}
        AND m.deleted_at IS NULL`
}

/**
 * `unreadAfter` is the number of unread messages after `readUpTo`. `calledAgain` counts the messages up to `readUpTo` that
 * called after they were read. `firstCalled` is the position of the one that called first.
 */
type ReadState = {
  lastPosition: number
  readUpTo: number
  unreadAfter: number
  calledAgain: number
  firstCalled: number | null
}

// One statement reads everything. A position from an earlier statement would make the unread count too low.
const loadReadState = rowLoader(async (ctx: Context<UserActor>, workspaceID, threadIDs) => {
  const reader = { workspaceID, userID: ctx.actor.userID }
  const rows = await query<ReadState & { threadID: string }>(
    ctx.db,
    Prisma.sql`
    SELECT t.id AS "threadID", t.last_position AS "lastPosition", state.read_up_to AS "readUpTo",
      state.unread_after AS "unreadAfter", called.*
    FROM unnest(${threadIDs}::text[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT * FROM threads WHERE workspace_id = ${workspaceID} AND id = wanted.id OFFSET 0) AS t
    ${readStateOf(reader)}
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS "calledAgain", (array_agg(m.position ORDER BY m.called_at))[1] AS "firstCalled"
      ${calledAgain(reader)}) AS called`,
  )
  return new Map(rows.map(({ threadID, ...state }) => [threadID, state]))
})

const loadFirstUnreadAfter = rowLoader((ctx: Context<UserActor>, workspaceID, positionKeys) =>
  messagesFrom(
    ctx,
    positionKeys,
    Prisma.sql`
    SELECT * FROM messages
    WHERE workspace_id = ${workspaceID} AND thread_id = wanted.thread_id AND position > wanted.position
      AND author_id <> ${ctx.actor.userID} AND event IS NULL AND deleted_at IS NULL
    ORDER BY position LIMIT 1`,
  ),
)

async function loadStateOf(ctx: Context, { workspaceID, id }: Thread): Promise<ReadState> {
  requireScope(ctx, 'threads.messages:read')
  const state = await loadReadState(ctx, workspaceID, id)
  return state ?? { lastPosition: 0, readUpTo: 0, unreadAfter: 0, calledAgain: 0, firstCalled: null }
}

export async function countUnread(ctx: Context, thread: Thread): Promise<number> {
  const { unreadAfter, calledAgain } = await loadStateOf(ctx, thread)
  return unreadAfter + calledAgain
}

/** Returns the last message that the caller has read, or the last message of the thread if no message after it is unread. */
export async function findReadUpTo(ctx: Context, thread: Thread): Promise<AuthoredMessage | undefined> {
  const { lastPosition, readUpTo, unreadAfter } = await loadStateOf(ctx, thread)
  return findMessageAt(ctx, { ...thread, lastPosition }, unreadAfter === 0 ? lastPosition : readUpTo)
}

export async function findFirstUnread(ctx: Context, thread: Thread): Promise<AuthoredMessage | undefined> {
  requireScope(ctx, 'threads.messages:read')
  const { readUpTo, unreadAfter, calledAgain, firstCalled } = await loadStateOf(ctx, thread)
  if (unreadAfter + calledAgain === 0) return undefined
  const before = firstCalled === null ? readUpTo : firstCalled - 1
  return loadFirstUnreadAfter(ctx, thread.workspaceID, `${thread.id} ${before}`)
}
