import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from '../platform/database.ts'
import { newID } from '../platform/ids.ts'
import { joining } from '../platform/joining.ts'
import { query } from '../platform/query.ts'
import type { NewThread } from '../threads/address.ts'
import { type Opening, openedThreads } from '../threads/opened-threads.ts'
import { attachedFiles, type Draft, fileColumns, joinedMessages } from './draft.ts'
import { authorReads, ownRead } from './reads/own-read.ts'
import { notedForSearch } from './search/unindexed.ts'

type Call = { workspaceID: string; thread: NewThread; draft: Draft }
type Opened = { threadID: string; messageID: string }
type Line = Opening & Draft & { messageID: string }

/**
 * Makes a thread with its first message. Resolves when it is committed; to undefined when nothing was written, because
 * a call at the same time made the thread of this key, or the webhook does not stand. Calls are joined as they are
 * for messages; of those with one key in one statement the first makes the thread.
 */
export function openThread(db: Database, call: Call): Promise<Opened | undefined> {
  return open(db, call.workspaceID, call)
}

const open = joining<Call, Opened | undefined>(joinedMessages, async (db, calls) => {
  const firsts = new Map<string, Line>()
  const lineOf = calls.map((call) => {
    const line = toLine(call)
    const name = nameOf(call) ?? line.id
    if (firsts.has(name)) return undefined
    firsts.set(name, line)
    return line
  })
  const { workspaceID } = calls[0]
  const opened = await query<{ id: string }>(db, openStatement(workspaceID, [...firsts.values()]), {
    pipeline: workspaceID,
  })
  const made = new Set(opened.map(({ id }) => id))
  return lineOf.map((line) =>
    line && made.has(line.id) ? { threadID: line.id, messageID: line.messageID } : undefined,
  )
})

function toLine({ thread, draft }: Call): Line {
  return { ...draft, id: newID('thr'), thread, starterID: draft.authorID, messageID: newID('msg') }
}

function nameOf({ thread: { threadBy }, draft }: Call): string | undefined {
  return threadBy ? JSON.stringify([draft.authorID, threadBy.target, threadBy.value]) : undefined
}

function openStatement(workspaceID: string, lines: Line[]): Prisma.Sql {
  const messages = lines.map(({ messageID, fileIDs }) => ({ id: messageID, fileIDs }))
  const readers = lines.filter(({ webhook }) => !webhook).map(({ starterID }) => starterID)
  return Prisma.sql`
    WITH ${openedThreads(workspaceID, lines)}, created AS (
      INSERT INTO messages
        (workspace_id, id, thread_id, position, author_id, text, unique_by, attachment_count, created_at, author_reads)
      SELECT ${workspaceID}, first.id, opening.id, 1, opening.starter_id, first.text, first.unique_by, first.files,
        opened.created_at, ${authorReads(Prisma.sql`opening.starter_id`, readers)}
      FROM unnest(
        ${lines.map(({ messageID }) => messageID)}::text[], ${lines.map(({ text }) => text)}::text[],
        ${lines.map(({ uniqueBy }) => uniqueBy)}::text[], ${lines.map(({ fileIDs }) => fileIDs.length)}::smallint[]
      ) WITH ORDINALITY AS first (id, text, unique_by, files, number)
      JOIN opening USING (number) JOIN opened ON opened.id = opening.id
      RETURNING id, thread_id, position, author_id
    )${readers.length > 0 ? ownRead(workspaceID, readers) : Prisma.empty}, written (line_id, id) AS (
      SELECT id, id FROM created
    )${attachedFiles(workspaceID, fileColumns(messages))}${notedForSearch(workspaceID)}
    SELECT id FROM opened`
}
