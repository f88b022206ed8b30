import { z } from 'zod'
import { type Context, requireScope, type UserActor } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { conflictAt } from '../../errors.ts'
import { personalSignals } from '../../events/personal-signals.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { accessGroup } from '../../groups/access.ts'
import { groupID } from '../../groups/general-group-id.ts'
import { membershipIn } from '../../groups/membership.ts'
import { parseInput } from '../../input.ts'
import { threadIDsAddressedTo, threadIDsOf } from '../../threads/access.ts'
import { visibleTo } from '../../threads/list/list-threads.ts'
import { requirePerson } from '../../users/access.ts'
import { unreadMentions } from '../mentions/unread-mentions.ts'
import { activeOrKept } from './active-or-kept.ts'
import { isUnread } from './is-unread.ts'
import { joinKnown } from './read-state.ts'

const inputSchema = z.object({ groupID: groupID.nullish() })
type Input = z.input<typeof inputSchema>

/**
 * Marks everything that the caller can see as read, or the threads of a group. Therefore nothing is unread if a muted
 * group is unmuted. `undoMarkAllRead` takes it back.
 */
export async function markAllRead(ctx: Context, input: Input): Promise<{ viewer: UserActor }> {
  requireScope(ctx, 'threads.messages:read')
  const groupID = await readInput(ctx, input)
  const source = await threadsIn(ctx, groupID)
  await inTransaction(ctx.db, async (tx) => {
    await query(tx, forgetMarks(ctx.actor))
    await query(tx, raiseFloor(ctx.actor, groupID))
    await query(tx, markRemaining(ctx.actor, groupID, source))
  })
  return changedViewer(ctx)
}

/**
 * Takes back the caller's last `markAllRead`, if it was for everything or for this group. What was read since then stays
 * read. Does nothing if it was taken back already.
 */
export async function undoMarkAllRead(ctx: Context, input: Input): Promise<{ viewer: UserActor }> {
  requireScope(ctx, 'threads.messages:read')
  const groupID = await readInput(ctx, input)
  await query(ctx.db, restoreStatement(ctx.actor, groupID))
  return changedViewer(ctx)
}

// Everything is the group without an ID.
async function readInput(ctx: Context<UserActor>, input: Input): Promise<string> {
  const { groupID } = parseInput(inputSchema, input)
  await requirePerson(ctx)
  if (groupID == null) return ''
  const { role } = await membershipIn(ctx, await accessGroup(ctx, groupID))
  if (role === null)
    throw conflictAt('not_a_member', 'groupID', 'is not a group of yours; its threads are not in your inbox')
  return groupID
}

function changedViewer({ db, actor }: Context<UserActor>) {
  personalSignals(db).send({ workspaceID: actor.workspaceID, userID: actor.userID, threadID: '' })
  return { viewer: actor }
}

function threadsIn(ctx: Context<UserActor>, groupID: string): Promise<Prisma.Sql> {
  const { actor } = ctx
  return groupID === ''
    ? activeOrKept(ctx, { name: 'visible', ids: threadIDsOf(actor) }, visibleTo(actor))
    : activeOrKept(
        ctx,
        { name: groupID, ids: threadIDsAddressedTo(actor.workspaceID, groupID) },
        Prisma.sql`${groupID} = ANY (t.group_ids)`,
      )
}

// Only the last mark can be taken back. If an earlier one could, threads that both cover would be unread again.
function forgetMarks({ workspaceID, userID }: UserActor): Prisma.Sql {
  return Prisma.sql`
    UPDATE read_floors SET undo = NULL
    WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND undo IS NOT NULL`
}

// Times are set before the commit. Therefore a message that nobody has seen yet can be older than this statement, but not
// by a minute. The messages of the last minute that the caller could see are marked one by one.
function raiseFloor({ workspaceID, userID }: UserActor, groupID: string): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO read_floors AS f (workspace_id, user_id, group_id, read_floor, undo)
    VALUES (${workspaceID}, ${userID}, ${groupID}, clock_timestamp() - interval '1 minute', '{"rows": []}')
    ON CONFLICT (workspace_id, user_id, group_id) DO UPDATE
    SET read_floor = excluded.read_floor, undo = jsonb_build_object('floor', f.read_floor, 'rows', jsonb_build_array())`
}

// What the floor does not reach: the last minute, threads that were kept unread, threads that concern the caller for
// another reason than the group, and mentions. Who marks a thread as read afterwards removes `is_marked`.
function markRemaining(actor: UserActor, groupID: string, source: Prisma.Sql): Prisma.Sql {
  const { workspaceID, userID } = actor
  return Prisma.sql`
    WITH unread AS MATERIALIZED (
      SELECT t.id, t.last_position, t.called_at, known.read_up_to, coalesce(known.own_total, 0) AS own_total,
        known.own_read, known.calls_read_up_to, known.kept_at
      FROM (
        SELECT t.* FROM ${source}
          AND (${isUnread(actor)} OR t.id IN (SELECT thread_id FROM (${unreadMentions(actor)}) AS mentions))
      ) AS t ${joinKnown(actor)}
    ), marked AS (
      INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to, own_total, own_read, calls_read_up_to, is_marked)
      SELECT ${workspaceID}, ${userID}, id, last_position, own_total, own_total, called_at, TRUE FROM unread ORDER BY id
      ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
      SET read_up_to = greatest(reads.read_up_to, excluded.read_up_to),
        own_read = CASE WHEN reads.read_up_to < excluded.read_up_to THEN excluded.own_read ELSE reads.own_read END,
        calls_read_up_to = greatest(reads.calls_read_up_to, excluded.calls_read_up_to), is_marked = TRUE
    )
    UPDATE read_floors SET undo = undo || (
      SELECT jsonb_build_object('rows', coalesce(jsonb_agg(jsonb_build_object('thread_id', id,
        'read_up_to', coalesce(read_up_to, 0), 'own_read', coalesce(own_read, 0), 'calls_read_up_to', calls_read_up_to,
        'kept_at', kept_at)), '[]')) FROM unread)
    WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND group_id = ${groupID}`
}

function restoreStatement({ workspaceID, userID }: UserActor, groupID: string): Prisma.Sql {
  return Prisma.sql`
    WITH floor AS MATERIALIZED (
      SELECT undo FROM read_floors
      WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND group_id = ${groupID} AND undo IS NOT NULL FOR UPDATE
    ), restored AS (
      UPDATE reads r SET read_up_to = before.read_up_to, own_read = before.own_read,
        calls_read_up_to = before.calls_read_up_to, kept_at = before.kept_at, is_marked = FALSE
      FROM floor CROSS JOIN LATERAL jsonb_to_recordset(undo -> 'rows') AS before (thread_id text,
        read_up_to integer, own_read integer, calls_read_up_to timestamptz(3), kept_at timestamptz(3))
      WHERE r.workspace_id = ${workspaceID} AND r.user_id = ${userID} AND r.thread_id = before.thread_id
        AND r.is_marked
    )
    UPDATE read_floors SET read_floor = coalesce((floor.undo ->> 'floor')::timestamptz, '-infinity'), undo = NULL FROM floor
    WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND group_id = ${groupID}`
}
