import type { Database } from '../../database/database.ts'
import { anyone, selectLoader } from '../../database/loader.ts'
import { query, rowsBy } from '../../database/query.ts'
import { notingEvents } from '../../events/note-events.ts'
import { type Account, Prisma } from '../../generated/prisma/client.ts'

/**
 * Links an account to the people who have its address: in each workspace, to the person who was created first. Linked
 * people stay linked. The UPDATE checks each person again, because another call may have deleted or changed the person.
 */
export async function linkPeople(
  db: Database,
  { id, email }: Pick<Account, 'id' | 'email'>,
  workspaceID?: string,
): Promise<void> {
  const only = workspaceID === undefined ? Prisma.empty : Prisma.sql`AND u.workspace_id = ${workspaceID}`
  await query(
    db,
    Prisma.sql`
    WITH linked AS (
    UPDATE users SET account_id = ${id} FROM (
      SELECT DISTINCT ON (u.workspace_id) u.workspace_id, u.id FROM users u
      WHERE u.account_id IS NULL AND u.kind = 'person' AND u.deleted_at IS NULL AND lower(u.email) = ${email} ${only}
        AND NOT EXISTS (
          SELECT FROM users linked WHERE linked.account_id = ${id} AND linked.workspace_id = u.workspace_id)
      ORDER BY u.workspace_id, u.created_at, u.id
    ) AS first
    WHERE users.workspace_id = first.workspace_id AND users.id = first.id AND users.account_id IS NULL
      AND users.deleted_at IS NULL AND lower(users.email) = ${email}
    RETURNING users.workspace_id, users.id
    )${notingEvents(Prisma.sql`SELECT workspace_id, 'user.updated', NULL, id FROM linked`)}
    SELECT FROM linked`,
  )
}

const loadPerson = selectLoader<{ db: Database; actor: typeof anyone }, { id: string; userID: string }>(
  (_ctx, workspaceID, accountIDs) => Prisma.sql`
    SELECT wanted.value AS id, u.id AS "userID" FROM ${rowsBy('account_id', accountIDs, { table: 'users', alias: 'u', workspaceID })}
    WHERE u.deleted_at IS NULL`,
)

export async function findPersonOf(
  db: Database,
  workspaceID: string,
  accountID: string,
): Promise<string | undefined> {
  return (await loadPerson({ db, actor: anyone }, workspaceID, accountID))?.userID
}
