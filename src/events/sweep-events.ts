import type { Database } from '../database/database.ts'
import { execute } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'

const batchesPerStep = 1000

export async function sweepEvents(db: Database, ttlDays: number): Promise<number> {
  let swept = 0
  for (let deleted = batchesPerStep; deleted === batchesPerStep; swept += deleted) {
    deleted = await execute(
      db,
      Prisma.sql`
      DELETE FROM event_batches b USING (
        SELECT workspace_id, last_position FROM (
          SELECT workspace_id, last_position, created_at FROM event_batches ORDER BY number LIMIT ${batchesPerStep}
        ) AS oldest WHERE created_at < now() - make_interval(days => ${ttlDays})
      ) AS old
      WHERE b.workspace_id = old.workspace_id AND b.last_position = old.last_position`,
    )
  }
  return swept
}
