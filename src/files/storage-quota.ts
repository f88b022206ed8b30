import { cachedPerConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { query } from '../database/query.ts'
import { AppError } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'

type Shared = Pick<Context, 'db' | 'config'>
type SpaceRequest = { workspaceID: string; sizeBytes: number }

/** How many declared bytes this process is receiving for each workspace. */
const bytesInFlightOf = cachedPerConfig(() => new Map<string, number>())

/** Checks the quota before the caller sends the bytes. The statement that inserts the file checks the quota again. */
export async function requireQuota({ db, config }: Shared, request: SpaceRequest): Promise<void> {
  const max = config.maxWorkspaceBytes
  if (max === 0) return
  const { workspaceID, sizeBytes } = request
  const used = (await usedBytes(db, workspaceID)) ?? (await countFiles(db, workspaceID))
  if (used + (bytesInFlightOf(config).get(workspaceID) ?? 0) + sizeBytes > max) throw quotaExceeded(max)
}

/** Receives a file if the quota allows it. Counts the declared bytes as used until the file is received. */
export async function withQuota<T>(
  shared: Shared,
  request: SpaceRequest,
  receive: () => Promise<T>,
): Promise<T> {
  const { workspaceID, sizeBytes } = request
  await requireQuota(shared, request)
  const inFlight = bytesInFlightOf(shared.config)
  const add = (bytes: number) => {
    const sum = (inFlight.get(workspaceID) ?? 0) + bytes
    if (sum === 0) inFlight.delete(workspaceID)
    else inFlight.set(workspaceID, sum)
  }
  add(sizeBytes)
  try {
    return await receive()
  } finally {
    add(-sizeBytes)
  }
}

export function quotaExceeded(max: number): AppError {
  return new AppError(
    'quota_exceeded',
    `The file would exceed the storage quota of the workspace, which is ${max} bytes. Nothing was stored.`,
    { limit: { name: 'workspaceBytes', max } },
  )
}

async function usedBytes(db: Database, workspaceID: string): Promise<number | undefined> {
  const [row] = await query<{ usedBytes: bigint }>(
    db,
    Prisma.sql`SELECT used_bytes AS "usedBytes" FROM workspace_storage WHERE workspace_id = ${workspaceID}`,
  )
  return row && Number(row.usedBytes)
}

/** Counts the used bytes for the first time. The lock prevents other transactions from inserting or deleting files. */
async function countFiles(db: Database, workspaceID: string): Promise<number> {
  return inTransaction(db, async (tx) => {
    await tx.$executeRaw`LOCK TABLE files IN SHARE ROW EXCLUSIVE MODE`
    await tx.$executeRaw`
      INSERT INTO workspace_storage (workspace_id, used_bytes)
      SELECT ${workspaceID}, coalesce(sum(size_bytes), 0)::bigint FROM files WHERE workspace_id = ${workspaceID}
      ON CONFLICT (workspace_id) DO NOTHING`
    return (await usedBytes(tx, workspaceID)) ?? 0
  })
}
