import { type Bounds, batcher, type QueueKey } from '../../database/batches/batcher.ts'
import { queueOf, sharedBatches } from '../../database/batches/write-queues.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import type { NewThread } from '../../threads/address.ts'
import { type Opening, openedThreads } from '../../threads/opened-threads.ts'
import {
  type Draft,
  draftColumnNames,
  draftColumns,
  fileColumns,
  insertedColumns,
  messageBatches,
} from './draft.ts'
import { insertMessages } from './insert-messages.ts'

type Call = { workspaceID: string; thread: NewThread; draft: Draft }
type Opened = { threadID: string; messageID: string }
type Line = Opening & Draft & { messageID: string }

/**
 * Creates a thread with its first message. Resolves when it is committed, and to undefined if nothing was written:
 * the webhook is not active, or a concurrent call created the thread of this key. Calls are batched like messages,
 * and of those with one key in one statement, the first creates the thread.
 */
export function openThread(db: Database, call: Call): Promise<Opened | undefined> {
  return open(db, queueOf(db, call.workspaceID), call)
}

const batches: Bounds<Call> = {
  ...messageBatches,
  ...sharedBatches({ owner: ({ workspaceID }) => workspaceID, splitKey: ({ draft }) => draft.authorID }),
}

const open = batcher<Call, Opened | undefined>(batches, async (db, calls, queue) => {
  const firsts = new Map<string, Line>()
  const lineOf = calls.map((call) => {
    const line = toLine(call)
    const name = nameOf(call) ?? line.id
    if (firsts.has(name)) return undefined
    firsts.set(name, line)
    return line
  })
  const opened = await query<{ id: string }>(db, openStatement([...firsts.values()], queue), {
    pipeline: queue.key,
  })
  const made = new Set(opened.map(({ id }) => id))
  return lineOf.map((line) =>
    line && made.has(line.id) ? { threadID: line.id, messageID: line.messageID } : undefined,
  )
})

function toLine({ workspaceID, thread, draft }: Call): Line {
  return {
    ...draft,
    workspaceID,
    id: newID('thr'),
    thread,
    starterID: draft.authorID,
    messageID: newID('msg'),
  }
}

function nameOf({ workspaceID, thread: { threadBy }, draft }: Call): string | undefined {
  return threadBy ? JSON.stringify([workspaceID, draft.authorID, threadBy.target, threadBy.value]) : undefined
}

function openStatement(lines: Line[], queue: QueueKey): Prisma.Sql {
  const messages = lines.map(({ messageID, fileIDs }) => ({ id: messageID, fileIDs }))
  const readers = lines.filter(({ webhook }) => !webhook).map(({ starterID }) => starterID)
  const drafts = draftColumns.map(
    ({ type, value }) => Prisma.sql`${lines.map((line) => value(line))}::${Prisma.raw(type)}[]`,
  )
  return Prisma.sql`
    WITH ${openedThreads(lines, queue)}, new_message AS (
      SELECT opening.workspace_id, first.id, opening.id AS thread_id, 1 AS position, opening.starter_id AS author_id,
        opened.created_at, ${insertedColumns}
      FROM unnest(${lines.map(({ messageID }) => messageID)}::text[], ${Prisma.join(drafts)})
        WITH ORDINALITY AS first (id, ${Prisma.raw(draftColumnNames.join(', '))}, number)
      JOIN opening USING (number) JOIN opened ON opened.id = opening.id AND opened.workspace_id = opening.workspace_id
    )${insertMessages({
      columns: draftColumnNames,
      readerIDs: readers.length > 0 ? readers : undefined,
      files: fileColumns(messages),
    })}
    SELECT id FROM opened`
}
