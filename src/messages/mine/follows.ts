import { z } from 'zod'
import { type Context, requireScope, type UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { conflictAt } from '../../errors.ts'
import { personalSignals } from '../../events/personal-signals.ts'
import { Prisma, type Thread } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { accessThread } from '../../threads/access.ts'
import { requirePerson } from '../../users/access.ts'
import { membershipFloor, type Reader } from '../reads/floors.ts'

// The row is written only if it changes, because most authors follow their thread already.
const beginFollowing = (rows: Prisma.Sql) => Prisma.sql`
      INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
      ${rows} ORDER BY 1, 2, 3
      ON CONFLICT (workspace_id, user_id, thread_id)
        DO UPDATE SET is_active = TRUE, read_floor = excluded.read_floor WHERE NOT follows.is_active`

// Earlier messages of the thread `t` count as read, except those that were unread because of a group.
const floorAt = (reader: Reader, at: Prisma.Sql) =>
  Prisma.sql`coalesce(${membershipFloor(reader)}, ${at} - interval '1 millisecond')`

const ownRows = Prisma.sql`SELECT workspace_id, author_id, thread_id, at FROM own`
const mentionedRows = Prisma.sql`SELECT workspace_id, target_id, thread_id, mentioned_at
        FROM mentioned JOIN mentioning USING (workspace_id, thread_id, position) WHERE shows_mentions`

type Beginning = { hasOwn: boolean; hasMentions: boolean; isNewThread: boolean }

/**
 * Returns a CTE with which people follow the threads in which they write (`own`), or are mentioned by name for the first
 * time (`mentioned`). A new thread is not in the snapshot of its statement, and has no earlier messages.
 */
export function followThreads({ hasOwn, hasMentions, isNewThread }: Beginning): Prisma.Sql {
  const rows = [...(hasOwn ? [ownRows] : []), ...(hasMentions ? [mentionedRows] : [])]
  if (rows.length === 0) return Prisma.empty
  const reader = { workspaceID: Prisma.sql`f.workspace_id`, userID: Prisma.sql`f.user_id` }
  const thread = Prisma.sql`CROSS JOIN LATERAL (
        SELECT group_ids FROM threads
        WHERE workspace_id = f.workspace_id AND id = f.thread_id AND kind = 'thread' OFFSET 0) AS t`
  const floor = isNewThread ? Prisma.sql`NULL::timestamptz` : floorAt(reader, Prisma.sql`f.at`)
  return Prisma.sql`, followed AS (${beginFollowing(Prisma.sql`
      SELECT f.workspace_id, f.user_id, f.thread_id, ${floor}
      FROM (
        SELECT workspace_id, user_id, thread_id, min(at) AS at
        FROM (${Prisma.join(rows, ' UNION ALL ')}) AS f (workspace_id, user_id, thread_id, at) GROUP BY 1, 2, 3
      ) AS f ${isNewThread ? Prisma.empty : thread}
      WHERE EXISTS (
        SELECT FROM users WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person' OFFSET 0
      ) AND NOT EXISTS (
        SELECT FROM follows
        WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active OFFSET 0)`)})`
}

const inputSchema = z.object({ threadID: id })
type Input = z.input<typeof inputSchema>

/** Follows a thread: it stays in the caller's inbox, whoever its recipients are. */
export async function followThread(ctx: Context, input: Input): Promise<{ thread: Thread }> {
  requireScope(ctx, 'threads:read')
  const thread = await accessOfPerson(ctx, input)
  if (thread.kind !== 'thread')
    throw conflictAt(
      'persistent_chat',
      'threadID',
      'is a group chat or DM; join the group to follow its chat',
    )
  const { workspaceID, userID } = ctx.actor
  await query(
    ctx.db,
    beginFollowing(Prisma.sql`
      SELECT t.workspace_id, ${userID}::text, t.id, ${floorAt(ctx.actor, Prisma.sql`clock_timestamp()`)}
      FROM threads t WHERE t.workspace_id = ${workspaceID} AND t.id = ${thread.id}`),
  )
  return changedFor(ctx, thread)
}

/** Ends following a thread. Writing in it, or a mention by name, begins it again. */
export async function unfollowThread(ctx: Context, input: Input): Promise<{ thread: Thread }> {
  requireScope(ctx, 'threads:read')
  const thread = await accessOfPerson(ctx, input)
  await query(
    ctx.db,
    Prisma.sql`
    UPDATE follows SET is_active = FALSE
    WHERE workspace_id = ${ctx.actor.workspaceID} AND user_id = ${ctx.actor.userID} AND thread_id = ${thread.id}`,
  )
  return changedFor(ctx, thread)
}

/** Mutes a thread: it stays in the list, but never counts or calls, unless a person mentions the caller by name. */
export async function muteThread(ctx: Context, input: Input): Promise<{ thread: Thread }> {
  requireScope(ctx, 'threads:read')
  const thread = await accessOfPerson(ctx, input)
  const { workspaceID, userID } = ctx.actor
  await query(
    ctx.db,
    Prisma.sql`
    INSERT INTO muted_threads (workspace_id, user_id, thread_id) VALUES (${workspaceID}, ${userID}, ${thread.id})
    ON CONFLICT DO NOTHING`,
  )
  return changedFor(ctx, thread)
}

export async function unmuteThread(ctx: Context, input: Input): Promise<{ thread: Thread }> {
  requireScope(ctx, 'threads:read')
  const thread = await accessOfPerson(ctx, input)
  const { workspaceID, userID } = ctx.actor
  await query(
    ctx.db,
    Prisma.sql`
    DELETE FROM muted_threads
    WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND thread_id = ${thread.id}`,
  )
  return changedFor(ctx, thread)
}

async function accessOfPerson(ctx: Context<UserActor>, input: Input): Promise<Thread> {
  const { threadID } = parseInput(inputSchema, input)
  await requirePerson(ctx)
  return accessThread(ctx, threadID)
}

function changedFor({ db, actor: { workspaceID, userID } }: Context<UserActor>, thread: Thread) {
  personalSignals(db).send({ workspaceID, userID, threadID: thread.id })
  return { thread }
}
