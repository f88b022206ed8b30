import { Prisma } from '../generated/prisma/client.ts'

/**
 * Selects the person who created a token or a grant, unless they cannot use it any more: they are deleted, their account
 * is deactivated, another account has become this person, or the owner of the address has only proved it since. The row
 * has the columns `workspace_id`, `user_id`, `account_id` and `created_at`.
 */
export function activePersonOf(alias: string): Prisma.Sql {
  const row = Prisma.raw(alias)
  return Prisma.sql`
  SELECT u.id FROM users u CROSS JOIN LATERAL (
    SELECT FROM accounts a
    WHERE a.id = ${row}.account_id AND a.deactivated_at IS NULL AND coalesce(a.verified_at <= ${row}.created_at, TRUE)
    OFFSET 0) AS account
  WHERE u.workspace_id = ${row}.workspace_id AND u.id = ${row}.user_id AND u.account_id = ${row}.account_id
    AND u.deleted_at IS NULL
  OFFSET 0`
}
