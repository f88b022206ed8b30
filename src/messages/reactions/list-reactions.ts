import { type Context, requireScope } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { pageLoader } from '../../database/loader.ts'
import type { PageArgs } from '../../database/paging.ts'
import { Prisma, type User } from '../../generated/prisma/client.ts'
import { userColumns } from '../../users/rows.ts'
import type { AuthoredMessage } from '../rows.ts'

/** `id` consists of the message's ID and the emoji. */
export type EmojiReactions = {
  workspaceID: string
  id: string
  emoji: string
  count: number
  viewerHasReacted: boolean
}

const loadReactions = pageLoader<Context, EmojiReactions>(({ actor }, workspaceID) => ({
  name: 'reactions',
  columns: Prisma.sql`g.workspace_id AS "workspaceID", g.id, g.emoji, g.count, g.own AS "viewerHasReacted"`,
  from: Prisma.sql`(
    SELECT r.workspace_id, r.message_id || ' ' || r.emoji AS id, r.emoji, count(*)::integer AS count,
      min(r.number) AS first, bool_or(r.user_id = ${actor.kind === 'user' ? actor.userID : null}) AS own
    FROM reactions r WHERE r.workspace_id = ${workspaceID} AND r.message_id = parent.id
    GROUP BY r.workspace_id, r.message_id, r.emoji) AS g`,
  where: Prisma.sql`TRUE`,
  keys: [{ column: Prisma.sql`g.first`, type: 'bigint' }],
}))

const loadUsers = pageLoader<Context, User>((_ctx, workspaceID) => ({
  name: 'reacting users',
  columns: userColumns,
  from: Prisma.sql`(
      SELECT user_id, number FROM reactions
      WHERE workspace_id = ${workspaceID} AND message_id = split_part(parent.id, ' ', 1)
        AND emoji = split_part(parent.id, ' ', 2)) AS r
    CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = ${workspaceID} AND id = r.user_id OFFSET 0) AS u`,
  where: Prisma.sql`TRUE`,
  keys: [{ column: Prisma.sql`r.number`, type: 'bigint' }],
}))

/** Returns the reactions in the order in which their emoji were first used. */
export async function listReactions(
  ctx: Context,
  message: AuthoredMessage,
  args: PageArgs,
): Promise<Connection<EmojiReactions>> {
  requireScope(ctx, 'threads.messages:read')
  return loadReactions(ctx, message, args)
}

/** Returns the users in the order in which they reacted. */
export function listReactingUsers(
  ctx: Context,
  reaction: EmojiReactions,
  args: PageArgs,
): Promise<Connection<User>> {
  return loadUsers(ctx, reaction, args)
}
