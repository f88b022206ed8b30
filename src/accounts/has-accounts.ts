import type { Database } from '../database/database.ts'

/** Returns whether the service has any account, which is false until somebody signs in for the first time. */
export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.account.findFirst({ select: { id: true } })) !== null
}
