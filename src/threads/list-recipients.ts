import { type Context, requireScope } from '../context.ts'
import { type Group, Prisma, type Thread, type User } from '../generated/prisma/client.ts'
import { knownGroup, visibleGroups } from '../groups/access.ts'
import { pageLoader } from '../platform/loader.ts'
import type { Connection, PageArgs } from '../platform/paging.ts'
import { userOf } from '../users/access.ts'

type Named = { userID: string | null; groupID: string | null }

/** Whom a thread names: the rows of recipients, and the columns in which chats and DMs hold theirs. */
const loadRecipients = pageLoader<Context, Named>((ctx, workspaceID) => ({
  name: 'recipients',
  columns: Prisma.sql`r.user_id AS "userID", r.group_id AS "groupID"`,
  from: Prisma.sql`(
    SELECT recipient_id, user_id, group_id FROM recipients
    WHERE workspace_id = ${workspaceID} AND thread_id = parent.id
    UNION ALL
    SELECT chats.chat_group_id, NULL, chats.chat_group_id FROM threads chats
    WHERE chats.workspace_id = ${workspaceID} AND chats.id = parent.id AND chats.kind = 'group_chat'
    UNION ALL
    SELECT pair.user_id, pair.user_id, NULL FROM threads dms
    CROSS JOIN LATERAL (VALUES (dms.dm_low_user_id), (dms.dm_high_user_id)) AS pair (user_id)
    WHERE dms.workspace_id = ${workspaceID} AND dms.id = parent.id AND dms.kind = 'dm') AS r`,
  where: Prisma.sql`(r.group_id IS NULL OR EXISTS (
    SELECT FROM groups g WHERE g.workspace_id = ${workspaceID} AND g.id = r.group_id AND ${visibleGroups(ctx.actor)}))`,
  keys: [{ column: Prisma.sql`r.recipient_id`, type: 'text' }],
}))

/** The users and groups that a thread names and the caller may see. Throws `forbidden`. */
export async function listRecipients(
  ctx: Context,
  thread: Thread,
  args: PageArgs,
): Promise<Connection<User | Group>> {
  requireScope(ctx, 'threads:read')
  const page = await loadRecipients(ctx, thread, args)
  const known = await Promise.all(page.nodes.map((named) => recipientOf(ctx, thread.workspaceID, named)))
  return {
    nodes: known.filter((recipient) => recipient !== undefined),
    get edges() {
      return page.edges.flatMap(({ cursor }, index) => {
        const node = known[index]
        return node ? [{ cursor, node }] : []
      })
    },
    pageInfo: page.pageInfo,
  }
}

function recipientOf(ctx: Context, workspaceID: string, { userID, groupID }: Named) {
  return userID === null ? knownGroup(ctx, workspaceID, groupID ?? '') : userOf(ctx, workspaceID, userID)
}
