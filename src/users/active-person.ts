import { Prisma } from '../generated/prisma/client.ts'

/**
 * Selects the person who created a token or a grant. Selects nothing if the person is deleted or no longer linked to
 * the account, or if the account is deactivated, or if the account was verified or the person was restored after the
 * token or grant was created. The row `alias` has the columns `workspace_id`, `user_id`, `account_id` and `created_at`.
 */
export function activePersonOf(alias: string): Prisma.Sql {
  const row = Prisma.raw(alias)
  return Prisma.sql`
  SELECT u.id FROM users u CROSS JOIN LATERAL (
    SELECT FROM accounts a
    WHERE a.id = ${row}.account_id AND a.deactivated_at IS NULL AND coalesce(a.verified_at <= ${row}.created_at, TRUE)
    OFFSET 0) AS account
  WHERE u.workspace_id = ${row}.workspace_id AND u.id = ${row}.user_id AND u.account_id = ${row}.account_id
    AND u.deleted_at IS NULL AND coalesce(u.restored_at <= ${row}.created_at, TRUE)
  OFFSET 0`
}
