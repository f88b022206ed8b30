import { isDeepStrictEqual } from 'node:util'
import { canPost } from '../../apps/webhooks/access.ts'
import { type BatchLimits, batcher } from '../../database/batches/batcher.ts'
import { sharedBatches, withShortWaits } from '../../database/batches/write-queues.ts'
import type { Database } from '../../database/database.ts'
import { databaseFailure } from '../../database/database-errors.ts'
import { numberedRows, query, template } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import {
  attachmentArrays,
  type Draft,
  draftColumnNames,
  draftColumns,
  insertedDraftColumns,
  mergeDrafts,
  messageBatches,
  type Refusal,
  type ThreadKey,
  type WriteResult,
} from './draft.ts'
import { insertMessages } from './insert-messages.ts'

type Call = { thread: ThreadKey; draft: Draft }
type Writer = ThreadKey & { number: number; authorID: string; webhook: Draft['webhook'] }
type DraftRow = { id: string; draft: Draft; writer: Writer; isEdited: boolean }
/** A message that was written, or the reason why no message of a writer was written. */
type Outcome = {
  draftID: string | null
  id: string
  created: boolean
  writerNumber: number | null
  refusal: Refusal | null
}
type Append = { draftRows: DraftRow[]; writers: Writer[]; isSplitQueue: boolean }

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
  ...sharedBatches({ owner: ({ thread }) => thread.workspaceID, splitKey: ({ thread }) => thread.threadID }),
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
      if (!row) return refusals.get(draftRow.writer.number) ?? 'changed'
      return { messageID: row.id, created: row.created && isFirst }
    })
  },
)

// Drafts with the same key become one message, as if written one after the other. Only the first counts as created.
function draftRowsOf(calls: Call[]) {
  const writers = new Map<string, Writer>()
  const rowsByKey = new Map<string, DraftRow>()
  const draftRows: DraftRow[] = []
  const rowOfCall = calls.map(({ thread: { workspaceID, threadID }, draft }) => {
    const { authorID, webhook, uniqueBy } = draft
    // Contains the hash of a webhook's key, because the key may change between two calls.
    const writerKey = `${threadID} ${webhook ? webhook.keyHash : authorID}`
    let writer = writers.get(writerKey)
    if (!writer) {
      writer = { workspaceID, threadID, number: writers.size + 1, authorID, webhook }
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

function variantOf({ draftRows }: Append) {
  return {
    hasKeys: draftRows.some(({ draft }) => draft.uniqueBy !== null),
    hasCountedAuthors: draftRows.some(({ draft }) => !draft.webhook),
    hasFiles: draftRows.some(({ draft }) => Boolean(draft.fileIDs?.length)),
  }
}

const countedAuthorIDs = ({ writers }: Append) =>
  writers.filter(({ webhook }) => !webhook).map(({ authorID }) => authorID)
const filesOf = ({ draftRows }: Append) =>
  attachmentArrays(draftRows.map(({ id, draft }) => ({ id, fileIDs: draft.fileIDs })))
const files = {
  draftIDs: (append: Append) => filesOf(append).draftIDs,
  positions: (append: Append) => filesOf(append).positions,
  fileIDs: (append: Append) => filesOf(append).fileIDs,
}
const workspaceID = Prisma.sql`w.workspace_id`
const updatedColumns = draftColumns.filter(({ isUpdated }) => isUpdated).map(({ name }) => Prisma.raw(name))
type ArrayColumn = [type: string, values: (append: Append) => unknown[]]
const draftArrays = Object.fromEntries(
  draftColumns.map(({ name, type, value }): [string, ArrayColumn] => [
    name,
    [type, ({ draftRows }) => draftRows.map(({ draft }) => value(draft))],
  ]),
)

// `raised_thread` locks the threads in key order, so that two processes never deadlock. The new values are computed
// after the lock is acquired. Therefore positions have the order of the commits, and times have the order of the
// positions. If another process has changed the thread since the statement began (`changes`), nothing is written,
// because the statement does not see the new recipients and settings. If another process wrote a message with the same
// key, the unique index refuses the new one. In both cases the caller tries again.
const appendStatement = template(
  variantOf,
  ({ hasKeys, hasCountedAuthors, hasFiles }) => Prisma.sql`
    WITH draft AS (
      SELECT * FROM ${numberedRows('draft', {
        id: ['text', ({ draftRows }: Append) => draftRows.map(({ id }) => id)],
        writer: ['bigint', ({ draftRows }) => draftRows.map(({ writer }) => writer.number)],
        is_edited: ['boolean', ({ draftRows }) => draftRows.map(({ isEdited }) => isEdited)],
        ...draftArrays,
      })}
    ), writer AS MATERIALIZED (
      SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE) AND ${canPost(workspaceID, 'w')} AS may_write
      FROM ${numberedRows('w', {
        workspace_id: ['text', ({ writers }: Append) => writers.map(({ workspaceID }) => workspaceID)],
        thread_id: ['text', ({ writers }) => writers.map(({ threadID }) => threadID)],
        author_id: ['text', ({ writers }) => writers.map(({ authorID }) => authorID)],
        webhook_id: ['text', ({ writers }) => writers.map(({ webhook }) => webhook?.id ?? null)],
        key_hash: ['text', ({ writers }) => writers.map(({ webhook }) => webhook?.keyHash ?? null)],
      })}
      LEFT JOIN LATERAL (
        SELECT t.workspace_id, t.id AS thread_id, t.changes,
          NOT t.replies_off OR t.started_by_id = w.author_id AS may_reply
        FROM visible_threads t
        WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id OFFSET 0
      ) thread ON TRUE${withShortWaits(({ isSplitQueue }: Append) => isSplitQueue)}
    ), permitted_draft AS (
      SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes
        ${hasKeys ? Prisma.sql`, existing.id AS existing_id, existing.is_same` : Prisma.empty}
      FROM draft JOIN writer ON writer.number = draft.writer ${hasKeys ? existingMessages(hasFiles) : Prisma.empty}
      WHERE writer.may_write
    ), raised_thread AS (
      UPDATE threads t SET last_position = t.last_position + of_thread.new_messages,
        last_activity_at = CASE WHEN of_thread.new_messages = 0 THEN t.last_activity_at
          ELSE greatest(t.last_activity_at, clock_timestamp()) END
      FROM (
        SELECT workspace_id, thread_id, changes, (${hasKeys ? newMessageCount : Prisma.sql`count(*)`})::integer AS new_messages
        FROM permitted_draft GROUP BY workspace_id, thread_id, changes ORDER BY workspace_id, thread_id
      ) of_thread
      WHERE t.workspace_id = of_thread.workspace_id AND t.id = of_thread.thread_id AND t.changes = of_thread.changes
      RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
        t.last_activity_at AS created_at
    ), accepted_draft AS (
      SELECT permitted_draft.*, position_before, created_at
      FROM permitted_draft JOIN raised_thread USING (thread_id, workspace_id)
    )${hasKeys ? updatedMessages : Prisma.empty}, new_message AS (
      SELECT workspace_id, id, thread_id, position_before + ${numberInThread} AS position,
        author_id, created_at, ${insertedDraftColumns}, CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
      FROM accepted_draft ${hasKeys ? Prisma.sql`WHERE existing_id IS NULL` : Prisma.empty}
    )${insertMessages({
      columns: [...draftColumnNames, 'edited_at'],
      countedAuthorIDs: hasCountedAuthors ? Prisma.sql`${countedAuthorIDs}` : undefined,
      files: hasFiles ? files : undefined,
      replacesFiles: hasKeys,
      alsoWritten: hasKeys
        ? Prisma.sql`UNION ALL SELECT workspace_id, draft_id, id, FALSE, thread_id FROM updated`
        : Prisma.empty,
    })}
    SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal FROM written
      UNION ALL SELECT NULL, NULL, FALSE, number::integer, ${refusal} FROM writer WHERE NOT may_write
      ${hasKeys ? Prisma.sql`UNION ALL SELECT id, existing_id, FALSE, NULL, NULL FROM accepted_draft WHERE is_same` : Prisma.empty}`,
)

const refusal = Prisma.sql`CASE WHEN may_reply IS NULL THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END`

const newMessageCount = Prisma.sql`count(*) FILTER (WHERE existing_id IS NULL)`

const numberInThread = Prisma.sql`row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number)`

// A join with the message that has the key of a draft. OFFSET 0 makes every query plan find it by the key.
const existingMessages = (hasFiles: boolean) => Prisma.sql`LEFT JOIN LATERAL (
        SELECT m.id, NOT draft.is_edited AND ${hasContentOfDraft(hasFiles)} AS is_same FROM messages m
        WHERE m.workspace_id = writer.workspace_id AND m.thread_id = writer.thread_id
          AND m.author_id = writer.author_id AND m.unique_by = draft.unique_by OFFSET 0
      ) existing ON TRUE`

// Whether the message already has the content of the draft. The number of attachments is one of the columns. Therefore
// it is enough to check that each file of the draft is attached at its position.
function hasContentOfDraft(hasFiles: boolean): Prisma.Sql {
  const columns = updatedColumns.map(
    (column) => Prisma.sql`m.${column} IS NOT DISTINCT FROM ${newValue(column)}`,
  )
  const missingFile = Prisma.sql`
          SELECT FROM unnest(${files.draftIDs}::text[], ${files.positions}::smallint[], ${files.fileIDs}::text[])
            AS file (draft_id, position, id)
          WHERE file.draft_id = draft.id AND NOT EXISTS (
            SELECT FROM attachments a
            WHERE a.workspace_id = m.workspace_id AND a.message_id = m.id AND a.position = file.position
              AND a.file_id = file.id OFFSET 0)`
  const conditions = hasFiles ? [...columns, Prisma.sql`NOT EXISTS (${missingFile})`] : columns
  return Prisma.join(conditions, ' AND ')
}

// If a message was deleted while the statement waited for the lock, it is not updated, and the caller tries again.
const updatedMessages = Prisma.sql`, updated AS (
      UPDATE messages m SET ${Prisma.join(updatedColumns.map((column) => Prisma.sql`${column} = ${newValue(column)}`))},
        edited_at = clock_timestamp()
      FROM accepted_draft AS draft
      WHERE m.workspace_id = draft.workspace_id AND m.id = draft.existing_id AND m.deleted_at IS NULL AND NOT draft.is_same
      RETURNING m.workspace_id, draft.id AS draft_id, m.id, m.thread_id, draft.attachment_count AS files
    ), detached AS (
      DELETE FROM attachments a USING updated
      WHERE a.workspace_id = updated.workspace_id AND a.message_id = updated.id AND updated.files IS NOT NULL
      RETURNING a.message_id
    )`

function newValue(column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(draft.${column}, m.${column})`
}
