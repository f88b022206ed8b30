import { type BatchLimits, batcher, type QueueKey } from '../../database/batches/batcher.ts'
import { sharedBatches } from '../../database/batches/write-queues.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import type { NewThread } from '../../threads/address.ts'
import { insertThreads, type ThreadInsertion } from '../../threads/insert-threads.ts'
import { mentionArrays } from '../mentions/write-mentions.ts'
import {
  attachmentArrays,
  type Draft,
  draftColumns,
  insertedColumns,
  messageBatches,
  type Refusal,
} from './draft.ts'
import { insertMessages } from './insert-messages.ts'

type Call = { workspaceID: string; thread: NewThread; draft: Draft }
type CreateThreadResult = { threadID: string; messageID: string }
type ThreadRow = ThreadInsertion & Draft & { messageID: string }

/** Creates a thread with a message. Resolves to the reason if nothing was written: `changed` if the key is already used. */
export function createThread(db: Database, call: Call): Promise<CreateThreadResult | Refusal> {
  return create(db, '', call)
}

const batches: BatchLimits<Call> = {
  ...messageBatches,
  ...sharedBatches('threads', {
    owner: ({ workspaceID }) => workspaceID,
    splitKey: ({ draft }) => draft.authorID,
  }),
}

const create = batcher<Call, CreateThreadResult | Refusal>(batches, async (db, calls, queue) => {
  const rowsByKey = new Map<string, ThreadRow>()
  const rowOfCall = calls.map((call) => {
    const row = toRow(call)
    const key = keyOf(call) ?? row.id
    if (rowsByKey.has(key)) return undefined
    rowsByKey.set(key, row)
    return row
  })
  const outcomes = await query<{ id: string; refusal: Refusal | null }>(
    db,
    createStatement([...rowsByKey.values()], queue),
    { pipeline: queue.key },
  )
  const refusals = new Map(outcomes.map(({ id, refusal }) => [id, refusal]))
  return rowOfCall.map((row) => {
    if (!row) return 'changed'
    return refusals.get(row.id) ?? { threadID: row.id, messageID: row.messageID }
  })
})

function toRow({ workspaceID, thread, draft }: Call): ThreadRow {
  return {
    ...draft,
    workspaceID,
    id: newID('thr'),
    thread,
    starterID: draft.authorID,
    messageID: newID('msg'),
    outcome: {
      state: draft.threadState === 'keep' ? null : (draft.threadState ?? draft.state ?? null),
      isClosed: draft.threadClosed === true,
      closingVersion: typeof draft.threadClosed === 'boolean' ? (draft.version ?? null) : null,
    },
    restSeconds: draft.byKey?.restSeconds ?? null,
  }
}

function keyOf({ workspaceID, thread: { threadBy }, draft }: Call): string | undefined {
  return threadBy
    ? JSON.stringify([workspaceID, draft.authorID, threadBy.recipientsKey, threadBy.value])
    : undefined
}

function createStatement(rows: ThreadRow[], queue: QueueKey): Prisma.Sql {
  const messages = rows.map(({ messageID, fileIDs }) => ({ id: messageID, fileIDs }))
  const mentions = mentionArrays(rows.map(({ messageID, mentionIDs }) => ({ id: messageID, mentionIDs })))
  const authorIDs = rows.filter(({ webhook }) => !webhook).map(({ starterID }) => starterID)
  const names = draftColumns.map(({ name }) => name)
  const drafts = draftColumns.map(
    ({ type, value }) => Prisma.sql`${rows.map((row) => value(row))}::${Prisma.raw(type)}[]`,
  )
  return Prisma.sql`
    WITH ${insertThreads(rows, queue)}, new_message AS (
      SELECT new_thread.workspace_id, first.id, new_thread.id AS thread_id, 1 AS position,
        new_thread.starter_id AS author_id, created_thread.created_at, ${insertedColumns(draftColumns, 'first')}, first.is_silent
      FROM unnest(${rows.map(({ messageID }) => messageID)}::text[], ${Prisma.join(drafts)},
          ${rows.map(({ notify }) => notify === 'never')}::boolean[])
        WITH ORDINALITY AS first (id, ${Prisma.raw(names.join(', '))}, is_silent, number)
      JOIN new_thread USING (number)
      JOIN created_thread ON created_thread.id = new_thread.id AND created_thread.workspace_id = new_thread.workspace_id
    )${insertMessages({
      columns: [...names, 'is_silent'],
      countedAuthorIDs: authorIDs.length > 0 ? authorIDs : undefined,
      files: attachmentArrays(messages),
      mentions: mentions.draftIDs.length > 0 ? mentions : undefined,
      isNewThread: true,
      earlierEvents: Prisma.sql`SELECT workspace_id, 'thread.created', id, id FROM created_thread UNION ALL`,
    })}
    SELECT id, CASE WHEN NOT new_thread.can_post THEN 'webhook_inactive' WHEN created_thread.id IS NULL THEN 'changed' END AS refusal
    FROM new_thread LEFT JOIN created_thread USING (workspace_id, id)`
}
