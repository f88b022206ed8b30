import { Prisma } from '../generated/prisma/client.ts'

/** The ID of the user that a row's `user_id` names, unless the user is deleted or their account is deactivated. */
export function activePersonOf(alias: string): Prisma.Sql {
  const row = Prisma.raw(alias)
  return Prisma.sql`
  SELECT u.id FROM users u
  WHERE u.workspace_id = ${row}.workspace_id AND u.id = ${row}.user_id AND u.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM accounts a WHERE a.id = u.account_id AND a.deactivated_at IS NOT NULL OFFSET 0)
  OFFSET 0`
}
