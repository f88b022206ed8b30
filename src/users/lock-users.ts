import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Locks the users that are not deleted, in the order of their IDs. Returns these IDs. Lock users before groups. */
export async function lockUsers(
  tx: Database,
  workspaceID: string,
  userIDs: readonly string[],
): Promise<Set<string>> {
  const users = await query<{ id: string }>(
    tx,
    Prisma.sql`
    SELECT u.id FROM unnest(${[...userIDs].sort()}::text[]) AS wanted (value) CROSS JOIN LATERAL (
      SELECT id FROM users WHERE workspace_id = ${workspaceID} AND id = wanted.value AND deleted_at IS NULL FOR SHARE
    ) AS u`,
  )
  return new Set(users.map(({ id }) => id))
}
