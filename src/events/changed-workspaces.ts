import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { isLost, type LastBatch, latestBatch } from './last-batch.ts'

/** A workspace with new batches. `number` is the number of the latest one. */
export type ChangedWorkspace = { workspaceID: string; number: bigint; hasInstalled: boolean }

/** `changed` is undefined if any workspace may have changed. */
export type LogChanges = { changed: ChangedWorkspace[] | undefined; last: LastBatch }

type Row = ChangedWorkspace & { position: bigint; createdAt: Date }

/**
 * Returns the workspaces with batches after the batch `after`. Without this batch, or if the log has lost it, it is
 * unknown which workspaces have changed. Then the caller must look at all workspaces, and continue after `last`.
 */
export async function changedWorkspaces(db: Database, after: LastBatch | undefined): Promise<LogChanges> {
  const rows = after && (await query<Row>(db, changedSince(after)))
  const batches = rows?.map((row) => ({ ...row, position: Number(row.position) })) ?? []
  const found = batches.find(({ number }) => number === after?.number)
  if (!after || (await isLost(db, after, found))) return { changed: undefined, last: await latestBatch(db) }
  const changed = batches.filter((batch) => batch !== found)
  return { changed, last: changed.reduce<LastBatch>((one, other) => later(one, other), after) }
}

function later(one: LastBatch, other: LastBatch): LastBatch {
  return other.number > one.number ? other : one
}

// The batch `after` is a group of its own, because it has been read.
function changedSince({ number }: LastBatch): Prisma.Sql {
  return Prisma.sql`
    SELECT workspace_id AS "workspaceID", max(number) AS number, max(last_position) AS position,
      (array_agg(times[cardinality(times)] ORDER BY number DESC))[1] AS "createdAt",
      bool_or('app.installed' = ANY (types)) AS "hasInstalled"
    FROM event_batches WHERE number >= ${number}::bigint GROUP BY workspace_id, number = ${number}::bigint`
}
