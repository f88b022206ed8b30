import { type Context, requireScope, type UserActor } from '../../context.ts'
import { rowLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { type Group, Prisma } from '../../generated/prisma/client.ts'
import type { UnreadCounts } from '../../generated/resolver-types.ts'
import { latestThreads } from '../../threads/list/list-threads.ts'
import { countUnreadMentions } from '../mentions/unread-mentions.ts'
import { activeOrKept } from '../reads/active-or-kept.ts'
import { isUnread } from '../reads/is-unread.ts'
import { calledAgain, readStateOf } from '../reads/read-state.ts'
import { isMineAmongMany, isMuted, mine } from './is-mine.ts'

/** A count of 1,000 means 1,000 or more. */
const maxCount = 1000

type Unread = UnreadCounts & { groupIDs: ReadonlySet<string> }

// A batch has calls of only one actor. Therefore `userIDs` contains only the actor's ID.
const loadUnread = rowLoader(async (ctx: Context<UserActor>, _workspaceID, userIDs) => {
  const [{ threads, groupIDs }, directMessages, mentions] = await Promise.all([
    unreadThreads(ctx),
    countDirectMessages(ctx),
    countUnreadMentions(ctx, maxCount),
  ])
  const unread: Unread = {
    threads: Math.min(threads, maxCount),
    directMessages: Math.min(directMessages, maxCount),
    mentions,
    groupIDs: new Set(groupIDs),
  }
  return new Map(userIDs.map((userID) => [userID, unread]))
})

async function unreadOf(ctx: Context): Promise<Unread> {
  requireScope(ctx, 'threads:read')
  const { workspaceID, userID } = ctx.actor
  const unread = await loadUnread(ctx, workspaceID, userID)
  return unread ?? { threads: 0, directMessages: 0, mentions: 0, groupIDs: new Set() }
}

export const countUnread: (ctx: Context) => Promise<UnreadCounts> = unreadOf

/** Returns whether a thread of the group that concerns the caller is unread. */
export async function hasUnread(ctx: Context, { id }: Group): Promise<boolean> {
  return (await unreadOf(ctx)).groupIDs.has(id)
}

/** Counts the threads without DMs that concern the caller and are unread, and returns their groups. */
async function unreadThreads(ctx: Context<UserActor>) {
  const source = await unreadSource(ctx)
  const [found = { threads: 0, groupIDs: [] }] = await query<{ threads: number; groupIDs: string[] }>(
    ctx.db,
    Prisma.sql`
    WITH unread AS MATERIALIZED (
      SELECT t.group_ids FROM ${source} AND t.kind <> 'dm' AND t.id NOT IN (SELECT thread_id FROM muted_threads
        WHERE workspace_id = ${ctx.actor.workspaceID} AND user_id = ${ctx.actor.userID}) AND ${isUnread(ctx.actor)}
    )
    SELECT (SELECT count(*)::integer FROM unread) AS threads,
      ARRAY(SELECT DISTINCT unnest(group_ids) FROM unread) AS "groupIDs"`,
  )
  return found
}

// For app users, the threads with the latest activity count.
async function unreadSource(ctx: Context<UserActor>): Promise<Prisma.Sql> {
  const condition = await mine(ctx)
  return condition
    ? activeOrKept(ctx, condition.among, isMineAmongMany(ctx.actor))
    : Prisma.sql`(${await latestThreads(ctx, maxCount)}) AS t WHERE TRUE`
}

/** Counts the unread messages in the caller's DMs. */
async function countDirectMessages({ db, actor }: Context<UserActor>): Promise<number> {
  const { workspaceID, userID } = actor
  const dmsAs = (column: string) => Prisma.sql`
      SELECT * FROM threads WHERE workspace_id = ${workspaceID} AND ${Prisma.raw(column)} = ${userID}`
  const [counted] = await query<{ count: number }>(
    db,
    Prisma.sql`
    SELECT coalesce(sum(state.unread_after + (SELECT count(*) ${calledAgain(actor)})), 0)::integer AS count
    FROM (${dmsAs('dm_low_user_id')} UNION ALL ${dmsAs('dm_high_user_id')} OFFSET 0) AS t ${readStateOf(actor)}
    WHERE t.last_position > 0 AND NOT ${isMuted(actor)}`,
  )
  return counted?.count ?? 0
}
