import type { Database } from '../database/database.ts'

/** Returns whether the service has an account. The first sign-in creates the first account. */
export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.account.findFirst({ select: { id: true } })) !== null
}
