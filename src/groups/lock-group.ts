import type { Context } from '../context.ts'
import { type Group, Prisma } from '../generated/prisma/client.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import { query } from '../platform/query.ts'
import { accessGroupIn } from './access.ts'
import { generalGroupID } from './general-group-id.ts'

/**
 * Runs while nobody else changes the group, its roles, or who is in it: its row is locked until the end. What `run` reads
 * is read after the lock was got, so what it decides still holds when it is done. Whoever joins waits (`enterGroup`);
 * whoever posts does not. Throws `not_found` where the caller may not see the group.
 */
export function withGroupLocked<T>(
  ctx: Context,
  { workspaceID, groupID }: { workspaceID: string; groupID: string },
  run: (ctx: Context, group: Group) => Promise<T>,
): Promise<T> {
  return inTransaction(ctx.db, async (tx) => {
    await query(
      tx,
      Prisma.sql`
      SELECT id FROM groups WHERE workspace_id = ${workspaceID} AND id = ${groupID} FOR NO KEY UPDATE`,
    )
    const inside = { ...ctx, db: tx }
    return run(inside, await accessGroupIn(inside, workspaceID, groupID, 'groups:write'))
  })
}

/**
 * Locks the groups that a user is in, in the order of their IDs, and gives them. Not the General group, which need not
 * be: nobody leaves it, and no member of it follows an admin.
 */
export async function lockGroupsOf(tx: Database, workspaceID: string, userID: string): Promise<string[]> {
  const groups = await query<{ id: string }>(
    tx,
    Prisma.sql`
    SELECT g.id FROM (
      SELECT group_id FROM group_members
      WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND group_id <> ${generalGroupID(workspaceID)}
      ORDER BY group_id
    ) AS own CROSS JOIN LATERAL (
      SELECT id FROM groups WHERE workspace_id = ${workspaceID} AND id = own.group_id FOR NO KEY UPDATE) AS g`,
  )
  return groups.map(({ id }) => id)
}
