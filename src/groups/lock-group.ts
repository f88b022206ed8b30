import type { Context } from '../context.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { query } from '../database/query.ts'
import { type Group, Prisma } from '../generated/prisma/client.ts'
import { accessGroupIn } from './access.ts'
import { generalGroupID } from './general-group-id.ts'

/**
 * Calls `run` while nobody else can change the group, its roles or its members. Calls that add members wait for the
 * lock, and calls that send messages do not. Users who are created or deleted still enter and leave the General group.
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
    const inTx = { ...ctx, db: tx }
    return run(inTx, await accessGroupIn(inTx, workspaceID, groupID, 'groups:write'))
  })
}

/** Locks a user's groups in the order of their IDs. Omits the General group, because nobody is promoted in it. */
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
