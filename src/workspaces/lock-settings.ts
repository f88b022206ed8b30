import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { notFound } from '../errors.ts'
import { Prisma, type Workspace } from '../generated/prisma/client.ts'
import { workspaceColumns } from './rows.ts'

/** Locks and returns a workspace. Its settings do not change until the end of the transaction. */
export async function lockSettings(tx: Database, id: string): Promise<Workspace> {
  const [workspace] = await query<Workspace>(
    tx,
    Prisma.sql`SELECT ${workspaceColumns} FROM workspaces w WHERE id = ${id} FOR SHARE`,
  )
  if (!workspace) throw notFound('workspace')
  return workspace
}
