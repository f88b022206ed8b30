import { type Context, requireScope, type UserActor } from '../../context.ts'
import { selectLoader } from '../../database/loader.ts'
import { rowsBy } from '../../database/query.ts'
import { type Message, Prisma, type Thread } from '../../generated/prisma/client.ts'
import { isMuted } from '../mine/is-mine.ts'
import { joinKnown, readStateOf } from '../reads/read-state.ts'
import { isShownTo, isUnreadMention, targetsOf, unreadMentionsIn } from './unread-mentions.ts'

const loadCount = selectLoader<Context<UserActor>, { id: string; count: number }>(
  ({ actor }, workspaceID, threadIDs) => Prisma.sql`
    SELECT t.id, ${unreadMentionsIn(actor)} AS count
    FROM ${rowsBy('id', threadIDs, { table: 'threads', alias: 't', workspaceID })} ${joinKnown(actor)}`,
)

/** Returns how many unread messages of a visible thread mention the caller. */
export async function countUnreadMentionsIn(ctx: Context, { workspaceID, id }: Thread): Promise<number> {
  requireScope(ctx, 'threads.messages:read')
  return (await loadCount(ctx, workspaceID, id))?.count ?? 0
}

const loadCalls = selectLoader<Context<UserActor>, { id: string; calls: boolean }>(
  ({ actor }, workspaceID, messageIDs) => Prisma.sql`
    SELECT m.id, (t.kind = 'dm' AND NOT ${isMuted(actor)} OR EXISTS (
        SELECT FROM mentions x
        WHERE x.workspace_id = ${workspaceID} AND x.thread_id = m.thread_id AND x.position = m.position
          AND x.target_id = ANY (${targetsOf(actor)}) AND ${isShownTo(actor)} AND ${isUnreadMention(actor)}
      )) AND m.author_id <> ${actor.userID} AND m.event IS NULL AND m.deleted_at IS NULL
      AND (m.position > state.read_up_to AND NOT m.is_silent OR m.called_at > state.calls_read_up_to) IS TRUE AS calls
    FROM ${rowsBy('id', messageIDs, { table: 'messages', alias: 'm', workspaceID })} CROSS JOIN LATERAL (
      SELECT * FROM threads WHERE workspace_id = ${workspaceID} AND id = m.thread_id OFFSET 0) AS t ${readStateOf(actor)}`,
)

/** Returns whether a message that the caller can see calls the caller. */
export async function callsViewer(ctx: Context, { workspaceID, id }: Message): Promise<boolean> {
  requireScope(ctx, 'threads.messages:read')
  return (await loadCalls(ctx, workspaceID, id))?.calls ?? false
}
