import type { Context, UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { FilterCondition } from '../../threads/list/filters.ts'
import { visibleTo } from '../../threads/list/list-threads.ts'
import { userOf } from '../../users/access.ts'

/** Returns the condition that a thread `t` concerns the caller, or undefined if the caller is not a person. */
export async function mine({
  actor,
  ...ctx
}: Context<UserActor>): Promise<Required<FilterCondition> | undefined> {
  const { workspaceID, userID } = actor
  const { kind } = await userOf({ ...ctx, actor }, workspaceID, userID)
  return kind === 'person'
    ? { where: isMine(actor), among: { name: 'mine', ids: idsOfMine(actor) }, isVisible: true }
    : undefined
}

// The groups are read once for a statement. The test of `group_ids` is cheaper than a look-up of the recipients.
const isInGroup = ({ workspaceID, userID }: UserActor) => Prisma.sql`(
      t.dm_low_user_id = ${userID} OR t.dm_high_user_id = ${userID} OR (
        SELECT coalesce(jsonb_object_agg(group_id, TRUE), '{}') FROM group_members
        WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND NOT is_muted
      ) ?| t.group_ids)`

function isMine(actor: UserActor): Prisma.Sql {
  const { userID } = actor
  return Prisma.sql`(${isInGroup(actor)} OR EXISTS (
      SELECT FROM recipients
      WHERE workspace_id = t.workspace_id AND thread_id = t.id AND recipient_id = ${userID} OFFSET 0
    ) OR EXISTS (
      SELECT FROM follows
      WHERE workspace_id = t.workspace_id AND user_id = ${userID} AND thread_id = t.id AND is_active OFFSET 0
    ) AND ${visibleTo(actor)})`
}

/**
 * Returns the condition that a thread `t` concerns the caller, for a statement that reads thousands of threads: it reads
 * the caller's follows once, and not once for each thread.
 */
export function isMineAmongMany(actor: UserActor): Prisma.Sql {
  const { workspaceID, userID } = actor
  return Prisma.sql`(${isInGroup(actor)} OR t.id IN (
      SELECT thread_id FROM recipients WHERE workspace_id = ${workspaceID} AND user_id = ${userID}
    ) OR t.id IN (
      SELECT thread_id FROM follows WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND is_active
    ) AND ${visibleTo(actor)})`
}

function idsOfMine({ workspaceID, userID }: UserActor): Prisma.Sql {
  return Prisma.sql`
    SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND dm_low_user_id = ${userID}
    UNION ALL SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND dm_high_user_id = ${userID}
    UNION ALL SELECT thread_id FROM recipients WHERE workspace_id = ${workspaceID} AND user_id = ${userID}
    UNION ALL SELECT thread_id FROM follows WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND is_active
    UNION ALL SELECT of_group.id FROM group_members m CROSS JOIN LATERAL (
      SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND chat_group_id = m.group_id
      UNION ALL SELECT thread_id FROM recipients WHERE workspace_id = ${workspaceID} AND group_id = m.group_id OFFSET 0
    ) AS of_group
    WHERE m.workspace_id = ${workspaceID} AND m.user_id = ${userID} AND NOT m.is_muted`
}

/** Returns which of these threads concern the caller. */
export async function mineAmong(
  ctx: Context<UserActor>,
  threadIDs: readonly string[],
): Promise<ReadonlySet<string>> {
  const condition = threadIDs.length > 0 ? await mine(ctx) : undefined
  if (!condition) return new Set(threadIDs)
  const found = await query<{ id: string }>(
    ctx.db,
    Prisma.sql`
    SELECT t.id FROM unnest(${[...threadIDs]}::text[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT * FROM threads WHERE workspace_id = ${ctx.actor.workspaceID} AND id = wanted.id OFFSET 0) AS t
    WHERE ${condition.where}`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Threads that the caller follows. */
export function followed({ workspaceID, userID }: UserActor): FilterCondition {
  const own = Prisma.sql`workspace_id = ${workspaceID} AND user_id = ${userID}`
  return {
    where: Prisma.sql`EXISTS (SELECT FROM follows WHERE ${own} AND thread_id = t.id AND is_active OFFSET 0)`,
    among: {
      name: 'followed',
      ids: Prisma.sql`SELECT thread_id AS id FROM follows WHERE ${own} AND is_active`,
    },
  }
}

/** Threads that the caller has muted. */
export function muted(actor: UserActor): FilterCondition {
  const { workspaceID, userID } = actor
  return {
    where: isMuted(actor),
    among: {
      name: 'muted',
      ids: Prisma.sql`
      SELECT thread_id AS id FROM muted_threads WHERE workspace_id = ${workspaceID} AND user_id = ${userID}`,
    },
  }
}

/** The condition that the caller has muted a thread `t`. */
export function isMuted({ userID }: UserActor): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM muted_threads
    WHERE workspace_id = t.workspace_id AND user_id = ${userID} AND thread_id = t.id OFFSET 0)`
}
