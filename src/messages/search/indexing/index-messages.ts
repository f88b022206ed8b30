import { setImmediate } from 'node:timers/promises'
import { batcher } from '../../../database/batches/batcher.ts'
import type { Database } from '../../../database/database.ts'
import { query } from '../../../database/query.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { documentOf } from '../../../text/search/document.ts'
import { filterTokensOf, wordPrefixOf } from '../filter-tokens.ts'

/** About how many messages one pass indexes. Each row of the outbox names at least one. */
const messagesPerPass = 500
const charactersPerTurn = 100_000

type Call = { workspaceID: string; schemes: readonly string[] }
type IndexRow = IndexedFields & { id: string; words: string }
type OutboxRow = { number: bigint; id: string | null } & IndexedFields
type IndexedFields = {
  position: number
  threadID: string
  authorID: string
  text: string
  /** The subject of the thread and its `changes` if this is the first message, otherwise null and 0. */
  subject: string | null
  threadChanges: number
  attachmentCount: number
  createdAt: Date
  editedAt: Date | null
}

/** Indexes a workspace's oldest outbox rows. Several processes can do this. Resolves to whether more may be left. */
export function indexMessages(db: Database, call: Call): Promise<boolean> {
  return index(db, call.workspaceID, call)
}

const index = batcher<Call, boolean>({ running: 1, calls: 1000 }, async (db, calls) => {
  const [{ workspaceID, schemes }] = calls
  const outboxRows = await query<OutboxRow>(db, outboxSelect(workspaceID), { isLong: true })
  if (outboxRows.length > 0) {
    const indexRows = await indexRowsOf(workspaceID, outboxRows, schemes)
    await query(db, indexStatement(workspaceID, outboxRows, indexRows), { isLong: true })
  }
  return calls.map(() => outboxRows.length >= messagesPerPass)
})

// A row can name messages that no longer exist. It must be deleted nevertheless.
function outboxSelect(workspaceID: string): Prisma.Sql {
  return Prisma.sql`
    SELECT outbox_row.number, m.id, m.position, m.thread_id AS "threadID", m.author_id AS "authorID", m.text,
      t.subject, coalesce(t.changes, 0) AS "threadChanges", m.attachment_count AS "attachmentCount", m.created_at AS "createdAt",
      m.edited_at AS "editedAt"
    FROM (
      SELECT number, message_ids, sum(cardinality(message_ids)) OVER (ORDER BY number) AS upto
      FROM (
        SELECT * FROM message_outbox WHERE workspace_id = ${workspaceID} ORDER BY number LIMIT ${messagesPerPass}
      ) AS oldest
    ) AS outbox_row
    CROSS JOIN LATERAL unnest(outbox_row.message_ids) AS named (id)
    LEFT JOIN LATERAL (
      SELECT * FROM messages WHERE workspace_id = ${workspaceID} AND id = named.id OFFSET 0) AS m ON TRUE
    LEFT JOIN LATERAL (
      SELECT subject, changes FROM threads
      WHERE workspace_id = ${workspaceID} AND id = m.thread_id AND m.position = 1 OFFSET 0) AS t ON TRUE
    WHERE outbox_row.upto - cardinality(outbox_row.message_ids) < ${messagesPerPass}`
}

// Waits for other processes that delete the same rows of the outbox. Writes only the messages of rows that this
// statement deletes, and never replaces a newer version. If a message or a subject changed after it was read, the
// outbox has another row for it.
function indexStatement(workspaceID: string, outboxRows: OutboxRow[], indexRows: IndexRow[]): Prisma.Sql {
  const numbers = [...new Set(outboxRows.map(({ number }) => number))]
  return Prisma.sql`
    WITH taken AS (
      DELETE FROM message_outbox
      WHERE workspace_id = ${workspaceID} AND number = ANY (${numbers.map(String)}::bigint[])
      RETURNING message_ids
    ), named AS (
      SELECT DISTINCT unnest(message_ids) AS id FROM taken
    )
    INSERT INTO searchable_messages AS known
      (workspace_id, created_at, position, message_id, edited_at, thread_changes, words)
    SELECT ${workspaceID}, index_row.created_at, index_row.position, index_row.id, index_row.edited_at, index_row.thread_changes,
      CAST(index_row.words AS tsvector)
    FROM unnest(
      ${indexRows.map(({ id }) => id)}::text[], ${indexRows.map(({ position }) => position)}::integer[],
      ${indexRows.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${indexRows.map(({ editedAt }) => editedAt?.toISOString() ?? null)}::timestamptz[],
      ${indexRows.map(({ threadChanges }) => threadChanges)}::integer[], ${indexRows.map(({ words }) => words)}::text[]
    ) AS index_row (id, position, created_at, edited_at, thread_changes, words)
    JOIN named USING (id)
    ON CONFLICT (workspace_id, created_at, position, message_id) DO UPDATE
    SET edited_at = excluded.edited_at, thread_changes = excluded.thread_changes, words = excluded.words
    WHERE (known.edited_at IS NULL OR known.edited_at <= excluded.edited_at)
      AND known.thread_changes <= excluded.thread_changes`
}

// Pauses between long messages, so that other requests are answered.
async function indexRowsOf(
  workspaceID: string,
  outboxRows: OutboxRow[],
  schemes: readonly string[],
): Promise<IndexRow[]> {
  const indexRows: IndexRow[] = []
  let characters = 0
  for (const [id, message] of new Map(outboxRows.map((message) => [message.id, message]))) {
    if (id === null) continue
    indexRows.push({ ...message, id, words: wordsOf(workspaceID, message, schemes) })
    characters += message.text.length
    if (characters < charactersPerTurn) continue
    characters = 0
    await setImmediate()
  }
  return indexRows
}

// A message without text cannot be found. If the first message of a thread has text, it is also found by the subject.
function wordsOf(workspaceID: string, message: IndexedFields, schemes: readonly string[]): string {
  const { text, subject, threadID, authorID } = message
  if (text === '') return ''
  const filterTokens = filterTokensOf({ threadID, authorID, hasAttachment: message.attachmentCount > 0 })
  const shown = withoutMentions(text, schemes)
  return documentOf(subject === null ? [shown] : [subject, shown], wordPrefixOf(workspaceID), filterTokens)
}

// Only the name of a mention `[Ada](skein:usr_...)` is indexed.
function withoutMentions(text: string, schemes: readonly string[]): string {
  if (!text.includes('](')) return text
  const target = `\\]\\((?:${schemes.map((scheme) => scheme.replace(/[+.-]/g, '\\$&')).join('|')}):(?:usr|grp|wks)_[0-9A-Za-z]{27}\\)`
  return text.replace(new RegExp(target, 'gi'), ']')
}
