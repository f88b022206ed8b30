import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../database/database.ts'
import { query } from '../../../database/query.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { indexMessages } from './index-messages.ts'

const pollIntervalMs = 1000
/** A workspace is quiet if nothing was written in it for this long. */
const quietMs = 1000
/** A busy workspace is indexed after at most this time. */
const maxWaitMs = 15_000
/** A pass over a busy workspace delays its writes. The pause after the pass is this many times as long as the pass. */
const busyPauseFactor = 3
/** If the oldest message has waited longer than this, the next pass starts without a pause. */
const maxBehindMs = 60_000

type Due = { workspaceID: string; isQuiet: boolean; waitedMs: number }

/**
 * Indexes new messages of each workspace when it is quiet, or after `maxWaitMs`. Returns a function that ends the work.
 * A search depends on the timing only if there are many new messages. Otherwise the search indexes them itself.
 */
export function startIndexing(
  db: Database,
  { schemes, onError }: { schemes: readonly string[]; onError: (error: unknown) => void },
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  let isFailing = false
  const run = async () => {
    while (!signal.aborted) {
      const due = await dueWorkspaces(db)
      isFailing = false
      for (const workspace of signal.aborted ? [] : due) {
        const began = performance.now()
        await indexMessages(db, { workspaceID: workspace.workspaceID, schemes })
        await pause((performance.now() - began) * pauseFactor(workspace))
      }
      if (due.length === 0) await pause(pollIntervalMs)
    }
  }
  const keepRunning = async () => {
    while (!signal.aborted) {
      await run().catch((error: unknown) => {
        // While the database is unavailable, every attempt fails. Only the first failure is reported.
        if (!isFailing) onError(error)
        isFailing = true
      })
      await pause(pollIntervalMs)
    }
  }
  const running = keepRunning()
  return () => {
    stopping.abort()
    return running
  }
}

function pauseFactor({ isQuiet, waitedMs }: Due): number {
  if (waitedMs > maxBehindMs) return 0
  return isQuiet ? 1 : busyPauseFactor
}

// The recursion reads one row for each workspace, instead of all rows.
function dueWorkspaces(db: Database): Promise<Due[]> {
  return query<Due>(
    db,
    Prisma.sql`
      WITH RECURSIVE waiting AS (
        (SELECT workspace_id FROM message_outbox WHERE workspace_id > '' ORDER BY workspace_id LIMIT 1)
        UNION ALL
        SELECT following.workspace_id FROM waiting CROSS JOIN LATERAL (
          SELECT workspace_id FROM message_outbox
          WHERE workspace_id > waiting.workspace_id ORDER BY workspace_id LIMIT 1) AS following
      ), waited AS (
        SELECT workspace_id, ${sinceMs('ASC')} AS oldest, ${sinceMs('DESC')} AS newest FROM waiting
      )
      SELECT workspace_id AS "workspaceID", newest >= ${quietMs} AS "isQuiet", oldest AS "waitedMs" FROM waited
      WHERE newest >= ${quietMs} OR oldest >= ${maxWaitMs}`,
  )
}

function sinceMs(order: 'ASC' | 'DESC'): Prisma.Sql {
  return Prisma.sql`(
    SELECT extract(epoch FROM clock_timestamp() - noted_at)::float8 * 1000 FROM message_outbox u
    WHERE u.workspace_id = waiting.workspace_id ORDER BY u.number ${Prisma.raw(order)} LIMIT 1)`
}
