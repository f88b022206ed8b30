import type { Database } from '../database/database.ts'

export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.account.findFirst({ select: { id: true } })) !== null
}
