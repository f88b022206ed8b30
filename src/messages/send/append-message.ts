import { canPost } from '../../apps/webhooks/access.ts'
import { type Bounds, batcher } from '../../database/batches/batcher.ts'
import { queueOf, sharedBatches, withShortWaits } from '../../database/batches/write-queues.ts'
import type { Database } from '../../database/database.ts'
import { databaseFailure } from '../../database/database-errors.ts'
import { numberedRows, query, template } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { appendOne, isPlain } from './append-one.ts'
import {
  type Draft,
  draftColumnNames,
  draftColumns,
  fileColumns,
  insertedColumns,
  messageBatches,
  type Place,
  updatedDraft,
  type WriteResult,
} from './draft.ts'
import { insertMessages } from './insert-messages.ts'

type Call = { place: Place; draft: Draft }
type Writer = Place & { number: number; authorID: string; webhook: Draft['webhook'] }
type Line = { id: string; draft: Draft; writer: Writer; times: number }
type Append = { lines: Line[]; writers: Writer[]; isOwn: boolean }

/**
 * Appends a message to a thread, or updates the author's earlier message there with the same `uniqueBy`, which keeps
 * its ID, position and creation time. Resolves when it is committed. Resolves to undefined if nothing was written:
 * the author cannot write to the thread, its webhook is not active, or another process changed the thread or wrote
 * the same key meanwhile.
 *
 * Calls of all workspaces are batched, or on a distributed database those of one workspace, so that a statement stays
 * on one node. A call waits only while a statement is in flight. Statements run one after the other, in a pipeline of
 * two, so that the server has the next one when it has committed the one before. In parallel, they would wait for
 * each other's locks, and lock the same authors, which PostgreSQL must record for each author (MultiXact). If a
 * statement fails because of its contents, its halves are repeated. After half a second of waiting for a lock, its
 * calls are repeated in a queue for each thread.
 */
export function appendMessage(db: Database, place: Place, draft: Draft): Promise<WriteResult | undefined> {
  return append(db, queueOf(db, place.workspaceID), { place, draft }).catch((error) => {
    if (databaseFailure(error) === 'duplicate') return undefined
    throw error
  })
}

const batches: Bounds<Call> = {
  ...messageBatches,
  ...sharedBatches({ owner: ({ place }) => place.workspaceID, splitKey: ({ place }) => place.threadID }),
}

const append = batcher<Call, WriteResult | undefined>(
  batches,
  async (db, calls, { key: pipeline, isOwn }) => {
    const [call] = calls
    if (calls.length === 1 && isPlain(call) && !isOwn) return [await appendOne(db, call, pipeline)]
    const { lines, writers, lineOf } = linesOf(calls)
    const rows = await query<{ lineID: string; id: string; created: boolean }>(
      db,
      appendStatement({ lines, writers, isOwn }),
      { pipeline },
    )
    const written = new Map(rows.map((row) => [row.lineID, row]))
    return lineOf.map(({ line, isFirst }) => {
      const row = written.get(line.id)
      return row && { messageID: row.id, created: row.created && isFirst }
    })
  },
)

// Several messages with one key are written once, as if each came after the other. Only the first one counts as created.
function linesOf(calls: Call[]) {
  const writers = new Map<string, Writer>()
  const keyed = new Map<string, Line>()
  const lines: Line[] = []
  const lineOf = calls.map(({ place: { workspaceID, threadID }, draft }) => {
    const { authorID, webhook, uniqueBy } = draft
    // An author has one workspace. A webhook's key may have changed between two calls.
    const name = `${threadID} ${webhook ? webhook.keyHash : authorID}`
    let writer = writers.get(name)
    if (!writer) {
      writer = { workspaceID, threadID, number: writers.size + 1, authorID, webhook }
      writers.set(name, writer)
    }
    const known = uniqueBy === null ? undefined : keyed.get(`${writer.number} ${uniqueBy}`)
    if (known) {
      known.draft = updatedDraft(known.draft, draft)
      known.times += 1
      return { line: known, isFirst: false }
    }
    const line = { id: newID('msg'), draft, writer, times: 1 }
    lines.push(line)
    if (uniqueBy !== null) keyed.set(`${writer.number} ${uniqueBy}`, line)
    return { line, isFirst: true }
  })
  return { lines, writers: [...writers.values()], lineOf }
}

function shapeOf({ lines, isOwn }: Append) {
  return {
    isOwn,
    isOne: lines.length === 1,
    hasKeys: lines.some(({ draft }) => draft.uniqueBy !== null),
    hasReaders: lines.some(({ draft }) => !draft.webhook),
    hasFiles: lines.some(({ draft }) => Boolean(draft.fileIDs?.length)),
  }
}

const readerIDs = ({ writers }: Append) =>
  writers.filter(({ webhook }) => !webhook).map(({ authorID }) => authorID)
const filesOf = ({ lines }: Append) =>
  fileColumns(lines.map(({ id, draft }) => ({ id, fileIDs: draft.fileIDs })))
const files = {
  lineIDs: (append: Append) => filesOf(append).lineIDs,
  positions: (append: Append) => filesOf(append).positions,
  fileIDs: (append: Append) => filesOf(append).fileIDs,
}
const workspaceID = Prisma.sql`w.workspace_id`
const draftArrays = Object.fromEntries(
  draftColumns.map(({ name, type, value }): [string, [string, (append: Append) => unknown[]]] => [
    name,
    [type, ({ lines }) => lines.map(({ draft }) => value(draft))],
  ]),
)

// The statement is one transaction: it finds who can write where, raises the last positions of the threads, and
// inserts.
//
// Raising a thread locks it. Threads are locked in the order of their keys, so that two processes never deadlock. The
// raised values follow from what was committed before the lock was acquired, so positions follow the order of
// commits, and times follow the positions. If another process changed the thread since the statement began
// (`changes`), nothing is written to it, because the statement does not see its new recipients. A message that
// another process wrote with the same key between the beginning of the statement and the lock is not seen either, and
// the unique index refuses the new one. In both cases the caller tries again.
const appendStatement = template(
  shapeOf,
  ({ isOne, isOwn, hasKeys, hasReaders, hasFiles }) => Prisma.sql`
    WITH line AS (
      SELECT * FROM ${numberedRows(
        'line',
        {
          id: ['text', ({ lines }: Append) => lines.map(({ id }) => id)],
          writer: ['bigint', ({ lines }) => lines.map(({ writer }) => writer.number)],
          is_edited: ['boolean', ({ lines }) => lines.map(({ times }) => times > 1)],
          ...draftArrays,
        },
        { isOne },
      )}
    ), writer AS ${isOne ? Prisma.empty : Prisma.sql`MATERIALIZED`} (
      SELECT w.number, w.author_id, thread.*
      FROM ${numberedRows(
        'w',
        {
          workspace_id: ['text', ({ writers }: Append) => writers.map(({ workspaceID }) => workspaceID)],
          thread_id: ['text', ({ writers }) => writers.map(({ threadID }) => threadID)],
          author_id: ['text', ({ writers }) => writers.map(({ authorID }) => authorID)],
          webhook_id: ['text', ({ writers }) => writers.map(({ webhook }) => webhook?.id ?? null)],
          key_hash: ['text', ({ writers }) => writers.map(({ webhook }) => webhook?.keyHash ?? null)],
        },
        { isOne },
      )}
      CROSS JOIN LATERAL (
        SELECT t.workspace_id, t.id AS thread_id, t.started_by_id = w.author_id AS is_starter, t.changes
        FROM visible_threads t
        WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id OFFSET 0
      ) thread${withShortWaits({ isOwn })}
      WHERE ${canPost(workspaceID, 'w')}
    ), permitted AS (
      SELECT line.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.is_starter, writer.changes
        ${hasKeys ? Prisma.sql`, known.id AS known_id` : Prisma.empty}
      FROM line JOIN writer ON writer.number = line.writer ${hasKeys ? knownMessages : Prisma.empty}
    ), raised AS (
      UPDATE threads t SET last_position = t.last_position + ${newOnes},
        last_activity_at = CASE WHEN ${newOnes} = 0 THEN t.last_activity_at
          ELSE greatest(t.last_activity_at, clock_timestamp()) END
      FROM (
        ${comingMessages({ isOne, hasKeys })}
      ) coming
      WHERE t.workspace_id = coming.workspace_id AND t.id = coming.thread_id AND t.changes = coming.changes
        AND (NOT t.replies_off OR coming.has_starter)
      RETURNING t.workspace_id, t.id AS thread_id, t.last_position - ${newOnes} AS position_before,
        t.last_activity_at AS created_at, t.replies_off
    ), admitted AS (
      SELECT permitted.*, position_before, created_at
      FROM permitted JOIN raised USING (thread_id, workspace_id) WHERE NOT replies_off OR is_starter
    )${hasKeys ? updatedMessages : Prisma.empty}, new_message AS (
      SELECT workspace_id, id, thread_id, position_before + ${isOne ? Prisma.sql`1` : numberInThread} AS position,
        author_id, created_at, ${insertedColumns}, CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
      FROM admitted ${hasKeys ? Prisma.sql`WHERE known_id IS NULL` : Prisma.empty}
    )${insertMessages({
      columns: [...draftColumnNames, 'edited_at'],
      readerIDs: hasReaders ? Prisma.sql`${readerIDs}` : undefined,
      files: hasFiles ? files : undefined,
      replacesFiles: hasKeys,
      alsoWritten: hasKeys
        ? Prisma.sql`UNION ALL SELECT workspace_id, line_id, id, FALSE FROM updated`
        : Prisma.empty,
      isOne,
    })}
    SELECT line_id AS "lineID", id, created FROM written`,
)

// A SELECT of how many new messages each thread gets, and how many of these are by the user who started it.
function comingMessages({ isOne, hasKeys }: { isOne: boolean; hasKeys: boolean }): Prisma.Sql {
  if (isOne) {
    const count = hasKeys ? Prisma.sql`(known_id IS NULL)::integer` : Prisma.sql`1`
    return Prisma.sql`
        SELECT workspace_id, thread_id, changes, is_starter AS has_starter, ${count} AS count, ${count} AS by_starter
        FROM permitted`
  }
  const isNew = hasKeys ? Prisma.sql`known_id IS NULL` : Prisma.sql`TRUE`
  return Prisma.sql`
        SELECT workspace_id, thread_id, changes, bool_or(is_starter) AS has_starter,
          (count(*) FILTER (WHERE ${isNew}))::integer AS count,
          (count(*) FILTER (WHERE ${isNew} AND is_starter))::integer AS by_starter
        FROM permitted GROUP BY workspace_id, thread_id, changes ORDER BY workspace_id, thread_id`
}

// How many messages are written. Whether replies are off is decided when the thread is locked.
const newOnes = Prisma.sql`CASE WHEN t.replies_off THEN coming.by_starter ELSE coming.count END`

const numberInThread = Prisma.sql`row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number)`

// Part of a FROM: the existing message with the key of a line. OFFSET 0 finds it by the key in every query plan.
const knownMessages = Prisma.sql`LEFT JOIN LATERAL (
        SELECT m.id FROM messages m
        WHERE m.workspace_id = writer.workspace_id AND m.thread_id = writer.thread_id
          AND m.author_id = writer.author_id AND m.unique_by = line.unique_by OFFSET 0
      ) known ON TRUE`

// Updates existing messages, and deletes their attachments if new ones are given. A message that was deleted while
// the statement waited for the lock is not written, and the caller tries again.
const updatedMessages = Prisma.sql`, updated AS (
      UPDATE messages m SET ${Prisma.join(draftColumns.filter(({ isUpdated }) => isUpdated).map(newValue))},
        edited_at = clock_timestamp()
      FROM admitted AS line
      WHERE m.workspace_id = line.workspace_id AND m.id = line.known_id AND m.deleted_at IS NULL
      RETURNING m.workspace_id, line.id AS line_id, m.id, line.attachment_count AS files
    ), detached AS (
      DELETE FROM attachments a USING updated
      WHERE a.workspace_id = updated.workspace_id AND a.message_id = updated.id AND updated.files IS NOT NULL
      RETURNING a.message_id
    )`

function newValue({ name }: { name: string }): Prisma.Sql {
  return Prisma.raw(`${name} = coalesce(line.${name}, m.${name})`)
}
