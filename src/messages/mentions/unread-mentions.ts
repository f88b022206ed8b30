import type { Context, UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { FilterCondition } from '../../threads/list/filters.ts'
import { isMuted, mine } from '../mine/is-mine.ts'
import { mentionFloor, personFloor } from '../reads/floors.ts'
import { joinKnown } from '../reads/read-state.ts'

/** SQL for the IDs by which messages mention the caller: the caller's own, and those of the groups that are not muted. */
export function targetsOf({ workspaceID, userID }: UserActor): Prisma.Sql {
  return Prisma.sql`ARRAY(
      SELECT ${userID}::text
      UNION ALL SELECT group_id FROM group_members
      WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND NOT is_muted)`
}

/** The condition that a message `m` mentions others. What authors write about themselves, they know. */
export function isShownTo({ userID }: UserActor): Prisma.Sql {
  return Prisma.sql`m.author_id <> ${userID} AND m.deleted_at IS NULL AND m.allow_mentions AND NOT m.is_plain`
}

/**
 * The condition that a mention `x` in a message `m` of a thread `t` is unread. Needs the row `known`. In a muted thread,
 * only a person's message that mentions the caller by name counts.
 */
export function isUnreadMention(actor: UserActor): Prisma.Sql {
  return Prisma.sql`(SELECT CASE WHEN known.kept_at > floor
        THEN m.position > known.read_up_to OR m.called_at > coalesce(known.calls_read_up_to, '-infinity')
        ELSE m.position > coalesce(known.read_up_to, 0) AND m.created_at > floor
          OR m.called_at > greatest(known.calls_read_up_to, floor) END
      FROM (SELECT ${mentionFloor(actor)} AS floor OFFSET 0) AS of_mention)
    AND (NOT ${isMuted(actor)} OR x.target_id = ${actor.userID} AND EXISTS (
      SELECT FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person' OFFSET 0))`
}

/** Returns a SELECT of the `thread_id` and `position` of the unread messages that mention the caller in visible threads. */
export function unreadMentions(actor: UserActor): Prisma.Sql {
  return Prisma.sql`
    WITH x AS MATERIALIZED (${recentMentions(actor)}), of_thread AS MATERIALIZED (
      SELECT t.workspace_id, t.id, known.read_up_to, known.calls_read_up_to, known.kept_at
      FROM (SELECT DISTINCT thread_id FROM x) AS named CROSS JOIN LATERAL (
        SELECT * FROM visible_threads
        WHERE viewer_id = ${actor.userID} AND workspace_id = ${actor.workspaceID} AND id = named.thread_id OFFSET 0) AS t
      ${joinKnown(actor)}
    )
    SELECT DISTINCT m.thread_id, m.position
    FROM x JOIN of_thread known ON known.id = x.thread_id
    CROSS JOIN LATERAL (SELECT known.workspace_id, known.id OFFSET 0) AS t
    CROSS JOIN LATERAL (
      SELECT * FROM messages
      WHERE workspace_id = x.workspace_id AND thread_id = x.thread_id AND position = x.position OFFSET 0) AS m
    WHERE ${isShownTo(actor)} AND ${isUnreadMention(actor)}`
}

/** Counts the unread messages that mention the caller in visible threads, up to a maximum. */
export async function countUnreadMentions({ db, actor }: Context<UserActor>, max: number): Promise<number> {
  const [counted] = await query<{ count: number }>(
    db,
    Prisma.sql`
    SELECT count(*)::integer AS count FROM (SELECT FROM (${unreadMentions(actor)}) AS unread LIMIT ${max}::integer) AS few`,
  )
  return counted?.count ?? 0
}

/** Returns a SELECT of the mentions of the caller that can be unread: those since the floor, and in threads kept unread. */
export function recentMentions(actor: UserActor): Prisma.Sql {
  const { workspaceID, userID } = actor
  return Prisma.sql`
      SELECT recent.* FROM unnest(${targetsOf(actor)}) AS target (id) CROSS JOIN LATERAL (
        SELECT * FROM mentions
        WHERE workspace_id = ${workspaceID} AND target_id = target.id AND mentioned_at > ${personFloor(actor)} OFFSET 0
      ) AS recent
      UNION SELECT in_kept.* FROM reads kept CROSS JOIN LATERAL (
        SELECT * FROM mentions
        WHERE workspace_id = ${workspaceID} AND thread_id = kept.thread_id AND target_id = ANY (${targetsOf(actor)}) OFFSET 0
      ) AS in_kept
      WHERE kept.workspace_id = ${workspaceID} AND kept.user_id = ${userID} AND kept.kept_at IS NOT NULL`
}

/** DMs, and threads in which an unread message mentions the caller. */
export function personal(actor: UserActor): FilterCondition {
  const { workspaceID, userID } = actor
  const dmsAs = (column: string) => Prisma.sql`
      SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND ${Prisma.raw(column)} = ${userID}`
  return {
    where: Prisma.sql`(t.kind = 'dm' OR EXISTS (
      SELECT FROM (SELECT) AS one ${joinKnown(actor)} WHERE ${unreadMentionsIn(actor)} > 0))`,
    among: {
      name: 'personal',
      ids: Prisma.sql`${dmsAs('dm_low_user_id')} UNION ALL ${dmsAs('dm_high_user_id')}
      UNION ALL SELECT thread_id FROM (${recentMentions(actor)}) AS recent`,
    },
  }
}

/** SQL for the number of unread messages of a thread `t` that mention the caller. Needs the row `known`. */
export const unreadMentionsIn = (actor: UserActor) => Prisma.sql`(
      SELECT count(DISTINCT m.position)::integer FROM mentions x CROSS JOIN LATERAL (
        SELECT * FROM messages
        WHERE workspace_id = x.workspace_id AND thread_id = x.thread_id AND position = x.position OFFSET 0) AS m
      WHERE x.workspace_id = ${actor.workspaceID} AND x.thread_id = t.id AND x.target_id = ANY (${targetsOf(actor)})
        AND (x.position > coalesce(known.read_up_to, 0) OR t.called_at IS NOT NULL)
        AND ${isShownTo(actor)} AND ${isUnreadMention(actor)})`

/** Returns which of these threads have messages that mention the caller. */
export async function mentionedAmong(
  { db, actor }: Context<UserActor>,
  threadIDs: readonly string[],
): Promise<string[]> {
  if (threadIDs.length === 0) return []
  const found = await query<{ id: string }>(
    db,
    Prisma.sql`
    SELECT id FROM unnest(${[...threadIDs]}::text[]) AS wanted (id) WHERE EXISTS (
      SELECT FROM mentions
      WHERE workspace_id = ${actor.workspaceID} AND thread_id = wanted.id AND target_id = ANY (${targetsOf(actor)}) OFFSET 0)`,
  )
  return found.map(({ id }) => id)
}

/** Returns the threads with unread messages that mention the caller. Empty for app users, who see all changes. */
export async function threadsWithUnreadMentions(ctx: Context<UserActor>): Promise<string[]> {
  if ((await mine(ctx)) === undefined) return []
  const found = await query<{ id: string }>(
    ctx.db,
    Prisma.sql`SELECT DISTINCT thread_id AS id FROM (${unreadMentions(ctx.actor)}) AS unread`,
  )
  return found.map(({ id }) => id)
}
