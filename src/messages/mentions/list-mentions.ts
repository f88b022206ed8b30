import { type Context, requireScope } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { type PageArgs, pageOf } from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { joinKnown } from '../reads/read-state.ts'
import { type AuthoredMessage, joinAuthor, messageColumns } from '../rows.ts'
import { isShownTo, isUnreadMention, recentMentions, targetsOf } from './unread-mentions.ts'

/**
 * Returns the messages that mention the caller, or a group of the caller that is not muted, the latest mention first. A
 * message that mentions the caller in several ways is listed once.
 */
export async function listMentionsOfCaller(
  ctx: Context,
  { unread, ...args }: PageArgs & { unread?: boolean | null | undefined },
): Promise<Connection<AuthoredMessage>> {
  requireScope(ctx, 'threads.messages:read')
  const { actor, db } = ctx
  const { workspaceID, userID } = actor
  const mentions = unread
    ? recentMentions(actor)
    : Prisma.sql`SELECT * FROM mentions WHERE workspace_id = ${workspaceID} AND target_id = ANY (${targetsOf(actor)})`
  const isFiltered = unread !== null && unread !== undefined
  const condition = isFiltered ? isUnreadMention(actor) : Prisma.sql`TRUE`
  return pageOf<AuthoredMessage>(
    db,
    {
      name: 'mentions of the caller',
      columns: Prisma.sql`${messageColumns}, x.mentioned_at AS "mentionedAt"`,
      from: Prisma.sql`(
        SELECT DISTINCT ON (thread_id, position) * FROM (${mentions}) AS every
        ORDER BY thread_id, position, target_id <> ${userID}, mentioned_at DESC
      ) AS x CROSS JOIN LATERAL (
        SELECT * FROM visible_threads
        WHERE viewer_id = ${userID} AND workspace_id = ${workspaceID} AND id = x.thread_id OFFSET 0) AS t
      ${isFiltered ? joinKnown(actor) : Prisma.empty}
      CROSS JOIN LATERAL (
        SELECT * FROM messages
        WHERE workspace_id = ${workspaceID} AND thread_id = x.thread_id AND position = x.position OFFSET 0) AS m
      ${joinAuthor}`,
      where: Prisma.sql`${isShownTo(actor)} AND (${condition}) IS TRUE = ${unread ?? true}::boolean`,
      keys: [
        { column: Prisma.sql`x.mentioned_at`, type: 'timestamptz(3)', property: 'mentionedAt' },
        { column: Prisma.sql`m.id`, type: 'text', property: 'id' },
      ],
      descending: true,
    },
    args,
  )
}
