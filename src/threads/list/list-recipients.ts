import { type Context, requireScope, type UserActor } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { pageLoader } from '../../database/loader.ts'
import type { PageArgs } from '../../database/paging.ts'
import { columnsOf, prefixRemover } from '../../database/rows.ts'
import { type Group, Prisma, type Thread, type User } from '../../generated/prisma/client.ts'

type RecipientRow = { id: string; isUser: boolean }

const userOf = prefixRemover<User>('User', 'user')
const groupOf = prefixRemover<Group>('Group', 'group')

// The recipients of group chats and DMs are in columns of `threads`. All other recipients are rows of `recipients`.
const loadRecipients = pageLoader<Context<UserActor>, RecipientRow>(({ actor }, workspaceID) => ({
  name: 'recipients',
  columns: Prisma.sql`r.recipient_id AS id, r.user_id IS NOT NULL AS "isUser",
    ${columnsOf('User', 'u', 'user')}, ${columnsOf('Group', 'g', 'group')}`,
  from: Prisma.sql`(
    SELECT recipient_id, user_id, group_id FROM recipients
    WHERE workspace_id = ${workspaceID} AND thread_id = parent.id
    UNION ALL
    SELECT chats.chat_group_id, NULL, chats.chat_group_id FROM threads chats
    WHERE chats.workspace_id = ${workspaceID} AND chats.id = parent.id AND chats.kind = 'group_chat'
    UNION ALL
    SELECT pair.user_id, pair.user_id, NULL FROM threads dms
    CROSS JOIN LATERAL (VALUES (dms.dm_low_user_id), (dms.dm_high_user_id)) AS pair (user_id)
    WHERE dms.workspace_id = ${workspaceID} AND dms.id = parent.id AND dms.kind = 'dm') AS r
    LEFT JOIN LATERAL (SELECT * FROM users WHERE workspace_id = ${workspaceID} AND id = r.user_id OFFSET 0) AS u ON TRUE
    LEFT JOIN LATERAL (
      SELECT * FROM visible_groups
      WHERE viewer_id = ${actor.userID} AND workspace_id = ${workspaceID} AND id = r.group_id OFFSET 0) AS g ON TRUE`,
  where: Prisma.sql`(r.group_id IS NULL OR g.id IS NOT NULL)`,
  keys: [{ column: Prisma.sql`r.recipient_id`, type: 'text', property: 'id' }],
}))

/** Returns the users and groups that the thread is addressed to and that the caller can see. */
export async function listRecipients(
  ctx: Context,
  thread: Thread,
  args: PageArgs,
): Promise<Connection<User | Group>> {
  requireScope(ctx, 'threads:read')
  const page = await loadRecipients(ctx, thread, args)
  const nodes = page.nodes.map((row) => (row.isUser ? userOf(row) : groupOf(row)))
  return {
    nodes,
    get edges() {
      return page.edges.map(({ cursor }, index) => ({ cursor, node: nodes[index] as User | Group }))
    },
    pageInfo: page.pageInfo,
  }
}
