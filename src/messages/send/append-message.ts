import { isDeepStrictEqual } from 'node:util'
import { type BatchLimits, batcher } from '../../database/batches/batcher.ts'
import { sharedBatches } from '../../database/batches/write-queues.ts'
import type { Database } from '../../database/database.ts'
import { databaseFailure } from '../../database/database-errors.ts'
import { query } from '../../database/query.ts'
import { newID } from '../../platform/ids.ts'
import { appendStatement, type DraftRow, type Outcome, type Writer } from './append-statement.ts'
import {
  type Draft,
  mergeDrafts,
  messageBatches,
  type Refusal,
  type ThreadKey,
  type WriteResult,
} from './draft.ts'
import { joiner, requiresRights } from './effects.ts'

type Call = { thread: ThreadKey; draft: Draft }

/**
 * Appends a message to a thread. If the author has a message with the same `uniqueBy` there, updates it, and keeps its
 * ID, position and creation time. Does not change a message with the same content, because a call that is repeated after
 * a lost response is not an edit. Resolves after the commit. Resolves to the reason if nothing was written.
 */
export function appendMessage(db: Database, thread: ThreadKey, draft: Draft): Promise<WriteResult | Refusal> {
  return append(db, '', { thread, draft }).catch((error) => {
    if (databaseFailure(error) === 'duplicate') return 'changed'
    throw error
  })
}

// The server runs these statements one after the other. Parallel statements would wait for each other's locks. They
// would also lock the same authors, and a lock that transactions share costs more (MultiXact). Two statements can be in
// flight (a pipeline), so that the server has the next statement when it commits the previous one.
const batches: BatchLimits<Call> = {
  ...messageBatches,
  joiner,
  ...sharedBatches('messages', {
    owner: ({ thread }) => thread.workspaceID,
    splitKey: ({ thread }) => thread.threadID,
  }),
}

const append = batcher<Call, WriteResult | Refusal>(
  batches,
  async (db, calls, { key: pipeline, isSplitQueue }) => {
    const { draftRows, writers, rowOfCall } = draftRowsOf(calls)
    const rows = await query<Outcome>(db, appendStatement({ draftRows, writers, isSplitQueue }), { pipeline })
    const written = new Map(rows.map((row) => [row.draftID, row]))
    const refusals = new Map(rows.map(({ writerNumber, refusal }) => [writerNumber, refusal]))
    return rowOfCall.map(({ draftRow, isFirst }) => {
      const row = written.get(draftRow.id)
      const refusal = refusals.get(draftRow.writer.number)
      const mayNotChange = refusal === 'may_not_change'
      if (!row) return refusal && (!mayNotChange || requiresRights(draftRow.draft)) ? refusal : 'changed'
      if (row.refusal) return row.refusal
      const ignored = ignoredFields(draftRow.draft, row, mayNotChange)
      return { messageID: row.id, created: row.created && isFirst, isStale: row.isStale, ignored }
    })
  },
)

function ignoredFields(
  { threadClosed, threadState }: Draft,
  { isStale, keepsClosing }: Outcome,
  mayNotChange: boolean,
): string[] {
  const ignoresClosing = threadClosed != null && (mayNotChange || (keepsClosing && !isStale))
  const ignoresState = threadState != null && threadState !== 'keep' && mayNotChange
  return [...(ignoresClosing ? ['threadClosed'] : []), ...(ignoresState ? ['threadState'] : [])]
}

// Drafts with the same key become one message, as if written one after the other. Only the first counts as created.
function draftRowsOf(calls: Call[]) {
  const writers = new Map<string, Writer>()
  const rowsByKey = new Map<string, DraftRow>()
  const draftRows: DraftRow[] = []
  const rowOfCall = calls.map(({ thread: { workspaceID, threadID }, draft }) => {
    const { authorID, webhook, administers, uniqueBy } = draft
    // Contains what a webhook had when it was cached, because the webhook may change between two calls.
    const cached = webhook && `${webhook.keyHash} ${webhook.revision}`
    const writerKey = `${threadID} ${cached ?? authorID} ${administers ?? false}`
    let writer = writers.get(writerKey)
    if (!writer) {
      writer = { workspaceID, threadID, number: writers.size + 1, authorID, webhook, administers }
      writers.set(writerKey, writer)
    }
    const known = uniqueBy === null ? undefined : rowsByKey.get(`${writer.number} ${uniqueBy}`)
    if (known) {
      const merged = mergeDrafts(known.draft, draft)
      known.isEdited ||= !hasSameContent(known.draft, merged)
      known.draft = merged
      return { draftRow: known, isFirst: false }
    }
    const draftRow = { id: newID('msg'), draft, writer, isEdited: false }
    draftRows.push(draftRow)
    if (uniqueBy !== null) rowsByKey.set(`${writer.number} ${uniqueBy}`, draftRow)
    return { draftRow, isFirst: true }
  })
  return { draftRows, writers: [...writers.values()], rowOfCall }
}

function hasSameContent(one: Draft, other: Draft): boolean {
  return isDeepStrictEqual({ ...one, fileIDs: one.fileIDs ?? [] }, { ...other, fileIDs: other.fileIDs ?? [] })
}
