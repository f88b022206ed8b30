import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../database/database.ts'
import { indexMessages } from './index-messages.ts'
import { type Due, WaitingWorkspaces } from './waiting-workspaces.ts'

const pollIntervalMs = 1000
/** A pass over a busy workspace delays its writes. The pause after the pass is this many times as long as the pass. */
const busyPauseFactor = 3
/** If the oldest message has waited longer than this, the next pass starts without a pause. */
const maxBehindMs = 60_000

/** Indexes new messages when a workspace is quiet, or after 15 seconds. The returned function ends this work. */
export function startIndexing(
  db: Database,
  { schemes, onError }: { schemes: readonly string[]; onError: (error: unknown) => void },
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  const waiting = new WaitingWorkspaces(db)
  let isFailing = false
  const run = async () => {
    while (!signal.aborted) {
      const due = await waiting.due()
      isFailing = false
      for (const workspace of signal.aborted ? [] : due) {
        const began = performance.now()
        const { hasMore, behindMs } = await indexMessages(db, {
          workspaceID: workspace.workspaceID,
          schemes,
        })
        if (!hasMore) waiting.remove(workspace)
        else if (behindMs !== undefined) waiting.advance(workspace, behindMs)
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
    waiting.stop()
    return running
  }
}

function pauseFactor({ isQuiet, waitedMs }: Due): number {
  if (waitedMs > maxBehindMs) return 0
  return isQuiet ? 1 : busyPauseFactor
}
