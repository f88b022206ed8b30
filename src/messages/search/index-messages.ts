import { setImmediate } from 'node:timers/promises'
import { batcher } from '../../database/batches/batcher.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { documentOf } from '../../text/search/document.ts'
import { marksOf, realmOf } from './marks.ts'

/** About how many messages are indexed at a time. Each row of the outbox names at least one. */
const messagesEach = 500
const charactersAtOnce = 100_000

type Call = { workspaceID: string; schemes: readonly string[] }
type Line = IndexedFields & { id: string; words: string }
type OutboxRow = { number: bigint; id: string | null } & IndexedFields
type IndexedFields = {
  position: number
  threadID: string
  authorID: string
  text: string
  subject: string | null
  /** The first message of a thread has the thread's subject, and its `changes`. Others have 0. */
  threadChanges: number
  attachmentCount: number
  createdAt: Date
  editedAt: Date | null
}

/**
 * Indexes the oldest messages of a workspace's outbox, and resolves to whether there may be more. Any number of
 * processes can do this at once: each writes only messages whose outbox rows it deleted, and never replaces a newer
 * version. Concurrent calls share one pass.
 */
export function indexMessages(db: Database, call: Call): Promise<boolean> {
  return index(db, call.workspaceID, call)
}

const index = batcher<Call, boolean>({ running: 1, calls: 1000 }, async (db, calls) => {
  const [{ workspaceID, schemes }] = calls
  const noted = await query<OutboxRow>(db, notedMessages(workspaceID), { isLong: true })
  if (noted.length > 0) {
    const lines = await linesOf(workspaceID, noted, schemes)
    await query(db, indexStatement(workspaceID, noted, lines), { isLong: true })
  }
  return calls.map(() => noted.length >= messagesEach)
})

// A row can name messages that no longer exist. It must be deleted nevertheless.
function notedMessages(workspaceID: string): Prisma.Sql {
  return Prisma.sql`
    SELECT note.number, m.id, m.position, m.thread_id AS "threadID", m.author_id AS "authorID", m.text,
      t.subject, coalesce(t.changes, 0) AS "threadChanges", m.attachment_count AS "attachmentCount", m.created_at AS "createdAt",
      m.edited_at AS "editedAt"
    FROM (
      SELECT number, message_ids, sum(cardinality(message_ids)) OVER (ORDER BY number) AS upto
      FROM (
        SELECT * FROM unindexed_messages WHERE workspace_id = ${workspaceID} ORDER BY number LIMIT ${messagesEach}
      ) AS oldest
    ) AS note
    CROSS JOIN LATERAL unnest(note.message_ids) AS named (id)
    LEFT JOIN LATERAL (
      SELECT * FROM messages WHERE workspace_id = ${workspaceID} AND id = named.id OFFSET 0) AS m ON TRUE
    LEFT JOIN LATERAL (
      SELECT subject, changes FROM threads
      WHERE workspace_id = ${workspaceID} AND id = m.thread_id AND m.position = 1 OFFSET 0) AS t ON TRUE
    WHERE note.upto - cardinality(note.message_ids) < ${messagesEach}`
}

// Deletes the rows, after waiting for others who are deleting them, and writes the messages of those that still
// existed. A message or a subject that changed after it was read has another row.
function indexStatement(workspaceID: string, noted: OutboxRow[], lines: Line[]): Prisma.Sql {
  const numbers = [...new Set(noted.map(({ number }) => number))]
  return Prisma.sql`
    WITH taken AS (
      DELETE FROM unindexed_messages
      WHERE workspace_id = ${workspaceID} AND number = ANY (${numbers.map(String)}::bigint[])
      RETURNING message_ids
    ), named AS (
      SELECT DISTINCT unnest(message_ids) AS id FROM taken
    )
    INSERT INTO searchable_messages AS known
      (workspace_id, created_at, position, message_id, edited_at, thread_changes, words)
    SELECT ${workspaceID}, line.created_at, line.position, line.id, line.edited_at, line.thread_changes,
      CAST(line.words AS tsvector)
    FROM unnest(
      ${lines.map(({ id }) => id)}::text[], ${lines.map(({ position }) => position)}::integer[],
      ${lines.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${lines.map(({ editedAt }) => editedAt?.toISOString() ?? null)}::timestamptz[],
      ${lines.map(({ threadChanges }) => threadChanges)}::integer[], ${lines.map(({ words }) => words)}::text[]
    ) AS line (id, position, created_at, edited_at, thread_changes, words)
    JOIN named USING (id)
    ON CONFLICT (workspace_id, created_at, position, message_id) DO UPDATE
    SET edited_at = excluded.edited_at, thread_changes = excluded.thread_changes, words = excluded.words
    WHERE (known.edited_at IS NULL OR known.edited_at <= excluded.edited_at)
      AND known.thread_changes <= excluded.thread_changes`
}

// Pauses between long messages, so that other requests are answered.
async function linesOf(workspaceID: string, noted: OutboxRow[], schemes: readonly string[]): Promise<Line[]> {
  const lines: Line[] = []
  let characters = 0
  for (const [id, message] of new Map(noted.map((message) => [message.id, message]))) {
    if (id === null) continue
    lines.push({ ...message, id, words: wordsOf(workspaceID, message, schemes) })
    characters += message.text.length
    if (characters < charactersAtOnce) continue
    characters = 0
    await setImmediate()
  }
  return lines
}

// A message without text cannot be found. The first one of a thread is also found by the subject.
function wordsOf(workspaceID: string, message: IndexedFields, schemes: readonly string[]): string {
  const { text, subject, threadID, authorID } = message
  if (text === '') return ''
  const marks = marksOf({ threadID, authorID, hasAttachment: message.attachmentCount > 0 })
  const shown = withoutMentions(text, schemes)
  return documentOf(subject === null ? shown : `${subject}\n${shown}`, realmOf(workspaceID), marks)
}

// Of a mention `[Ada](skein:usr_...)`, only the name belongs to the words.
function withoutMentions(text: string, schemes: readonly string[]): string {
  if (!text.includes('](')) return text
  const target = `\\]\\((?:${schemes.map((scheme) => scheme.replace(/[+.-]/g, '\\$&')).join('|')}):(?:usr|grp|wks)_[0-9A-Za-z]{27}\\)`
  return text.replace(new RegExp(target, 'gi'), ']')
}
