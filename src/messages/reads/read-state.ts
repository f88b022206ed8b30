import { type Context, requireScope, type UserActor } from '../../context.ts'
import { Prisma, type Thread } from '../../generated/prisma/client.ts'
import { rowLoader } from '../../platform/loader.ts'
import { query } from '../../platform/query.ts'
import { type AuthoredMessage, findMessageAt } from '../access.ts'

const loadReadUpTo = rowLoader(async (ctx: Context<UserActor>, workspaceID, threadIDs) => {
  const rows = await query<{ threadID: string; readUpTo: number }>(
    ctx.db,
    Prisma.sql`
    SELECT r.thread_id AS "threadID", r.read_up_to AS "readUpTo"
    FROM unnest(${threadIDs}::text[]) AS wanted (thread_id) CROSS JOIN LATERAL (
      SELECT * FROM reads
      WHERE workspace_id = ${workspaceID} AND user_id = ${ctx.actor.userID} AND thread_id = wanted.thread_id OFFSET 0) AS r`,
  )
  return new Map(rows.map(({ threadID, readUpTo }) => [threadID, readUpTo]))
})

/** A thread; where the statement that found it knows, with the position of the last message that the caller has read. */
export type ReadThread = Thread & { readUpTo?: number }

/** The position of the last message that the caller has read in a thread that it may see, or 0. Throws `forbidden`. */
async function positionRead(ctx: Context, { workspaceID, id, readUpTo }: ReadThread): Promise<number> {
  requireScope(ctx, 'threads.messages:read')
  return readUpTo ?? (await loadReadUpTo(ctx, workspaceID, id)) ?? 0
}

/** How many messages come after the last one that the caller has read: positions have no gaps. Throws `forbidden`. */
export async function countUnread(ctx: Context, thread: ReadThread): Promise<number> {
  return Math.max(0, thread.lastPosition - (await positionRead(ctx, thread)))
}

/** The last message that the caller has read. Throws `forbidden`. */
export async function findReadUpTo(ctx: Context, thread: ReadThread): Promise<AuthoredMessage | undefined> {
  return findMessageAt(ctx, thread, await positionRead(ctx, thread))
}

/** The first one that it has not. Throws `forbidden`. */
export async function findFirstUnread(
  ctx: Context,
  thread: ReadThread,
): Promise<AuthoredMessage | undefined> {
  return findMessageAt(ctx, thread, (await positionRead(ctx, thread)) + 1)
}
