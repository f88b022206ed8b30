import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

export type AccountPerson = {
  workspaceID: string
  workspace: string
  avatarURL: string | null
  userID: string
  name: string
}

/** Returns the people of an account, one in each workspace, in order of creation. */
export function peopleOfAccount(db: Database, accountID: string): Promise<AccountPerson[]> {
  return query<AccountPerson>(
    db,
    Prisma.sql`
    SELECT u.workspace_id AS "workspaceID", w.name AS workspace, w.avatar_url AS "avatarURL", u.id AS "userID", u.name
    FROM (SELECT * FROM users WHERE account_id = ${accountID} AND deleted_at IS NULL OFFSET 0) u
    CROSS JOIN LATERAL (SELECT name, avatar_url FROM workspaces WHERE id = u.workspace_id OFFSET 0) w
    ORDER BY u.created_at, u.id`,
  )
}
