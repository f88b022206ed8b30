import { setImmediate } from 'node:timers/promises'
import { batcher } from '../../../database/batches/batcher.ts'
import type { Database } from '../../../database/database.ts'
import { query } from '../../../database/query.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { documentOf } from '../../../text/search/document.ts'
import { filterTokensOf, wordPrefixOf } from '../filter-tokens.ts'

/** A pass reads about this many events. It reads only whole batches. */
const eventsPerPass = 500
const charactersPerTurn = 100_000

type Call = { workspaceID: string; schemes: readonly string[] }
type IndexRow = IndexedFields & { id: string; words: string }
type ReadRow = {
  from: bigint
  upto: bigint
  behindMs: number
  isLast: boolean
  id: string | null
} & IndexedFields
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

/** `behindMs` is the age of the last event that was indexed, by the clock of the database. */
export type IndexProgress = { hasMore: boolean; behindMs: number | undefined }

/** Indexes the next events of a workspace's log. Several processes can do this. */
export function indexMessages(db: Database, call: Call): Promise<IndexProgress> {
  return index(db, call.workspaceID, call)
}

const index = batcher<Call, IndexProgress>({ running: 1, calls: 1000 }, async (db, calls) => {
  const [{ workspaceID, schemes }] = calls
  const rows = await query<ReadRow>(db, readStatement(workspaceID), { isLong: true })
  const [first] = rows
  if (first) {
    const indexRows = await indexRowsOf(workspaceID, rows, schemes)
    await query(db, indexStatement(workspaceID, first, indexRows), { isLong: true })
  }
  const progress = { hasMore: first?.isLast === false, behindMs: first?.behindMs }
  return calls.map(() => progress)
})

// A change of a thread concerns its first message, because a search also finds this message by the subject. The joins
// are outer joins, because the row of `read` is needed even if no event concerns a message.
function readStatement(workspaceID: string): Prisma.Sql {
  return Prisma.sql`
    WITH progress AS MATERIALIZED (
      SELECT coalesce((SELECT position FROM search_progress WHERE workspace_id = ${workspaceID}), 0) AS position
    ), batch AS MATERIALIZED (
      SELECT * FROM (
        SELECT b.*, sum(cardinality(types)) OVER (ORDER BY last_position) AS upto
        FROM progress CROSS JOIN LATERAL (
          SELECT * FROM event_batches
          WHERE workspace_id = ${workspaceID} AND last_position > progress.position
          ORDER BY last_position LIMIT ${eventsPerPass}
        ) AS b
      ) AS counted WHERE upto - cardinality(types) < ${eventsPerPass}
    ), read AS (
      SELECT progress.position AS "from", (SELECT max(last_position) FROM batch) AS upto,
        1000 * extract(epoch FROM now() - (SELECT max(times[cardinality(times)]) FROM batch))::float8 AS "behindMs",
        (SELECT max(last_position) FROM batch) = (SELECT position FROM event_heads WHERE workspace_id = ${workspaceID}) AS "isLast"
      FROM progress WHERE EXISTS (SELECT FROM batch)
    ), named AS (
      SELECT e.object_id AS id FROM batch CROSS JOIN LATERAL unnest(types, object_ids) AS e (type, object_id)
      WHERE e.type LIKE 'message.%' OR e.type = 'thread.updated' OR e.type LIKE 'recipients.%'
      UNION
      SELECT first.id FROM batch CROSS JOIN LATERAL unnest(types, thread_ids) AS e (type, thread_id) CROSS JOIN LATERAL (
        SELECT id FROM messages WHERE workspace_id = ${workspaceID} AND thread_id = e.thread_id AND position = 1 OFFSET 0) AS first
      WHERE e.type = 'thread.updated'
    )
    SELECT read.*, m.id, m.position, m.thread_id AS "threadID", m.author_id AS "authorID", m.text,
      t.subject, coalesce(t.changes, 0) AS "threadChanges", m.attachment_count AS "attachmentCount", m.created_at AS "createdAt",
      m.edited_at AS "editedAt"
    FROM read LEFT JOIN named ON TRUE
    LEFT JOIN LATERAL (
      SELECT * FROM messages WHERE workspace_id = ${workspaceID} AND id = named.id OFFSET 0) AS m ON TRUE
    LEFT JOIN LATERAL (
      SELECT subject, changes FROM threads
      WHERE workspace_id = ${workspaceID} AND id = m.thread_id AND m.position = 1 OFFSET 0) AS t ON TRUE`
}

// If several processes have read the same events, only the first process updates `search_progress` and writes rows. The
// statement never replaces a newer version of a row. If a message or a subject has changed since it was read, the log
// has a later event about the change.
function indexStatement(workspaceID: string, { from, upto }: ReadRow, indexRows: IndexRow[]): Prisma.Sql {
  return Prisma.sql`
    WITH progress AS (
      INSERT INTO search_progress AS p (workspace_id, position)
      SELECT ${workspaceID}, ${upto}::bigint
      ON CONFLICT (workspace_id) DO UPDATE SET position = excluded.position WHERE p.position = ${from}::bigint
      RETURNING workspace_id
    )
    INSERT INTO searchable_messages AS known
      (workspace_id, created_at, position, message_id, edited_at, thread_changes, words)
    SELECT progress.workspace_id, index_row.created_at, index_row.position, index_row.id, index_row.edited_at,
      index_row.thread_changes, CAST(index_row.words AS tsvector)
    FROM progress CROSS JOIN unnest(
      ${indexRows.map(({ id }) => id)}::text[], ${indexRows.map(({ position }) => position)}::integer[],
      ${indexRows.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${indexRows.map(({ editedAt }) => editedAt?.toISOString() ?? null)}::timestamptz[],
      ${indexRows.map(({ threadChanges }) => threadChanges)}::integer[], ${indexRows.map(({ words }) => words)}::text[]
    ) AS index_row (id, position, created_at, edited_at, thread_changes, words)
    ON CONFLICT (workspace_id, created_at, position, message_id) DO UPDATE
    SET edited_at = excluded.edited_at, thread_changes = excluded.thread_changes, words = excluded.words
    WHERE (known.edited_at IS NULL OR known.edited_at <= excluded.edited_at)
      AND known.thread_changes <= excluded.thread_changes`
}

// Pauses between long messages, so that other requests are answered.
async function indexRowsOf(
  workspaceID: string,
  rows: readonly ReadRow[],
  schemes: readonly string[],
): Promise<IndexRow[]> {
  const indexRows: IndexRow[] = []
  let characters = 0
  for (const [id, message] of new Map(rows.map((message) => [message.id, message]))) {
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
