import { isWebhookActive } from '../../apps/webhooks/access.ts'
import { shortWaits } from '../../database/batches/write-queues.ts'
import type { Database } from '../../database/database.ts'
import { execute, template } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { type Draft, draftColumns, type ThreadKey, type WriteResult } from './draft.ts'
import { insertMessages } from './insert-messages.ts'

type Call = { thread: ThreadKey; draft: Draft }
type SingleAppend = Call & { id: string }

/** Returns whether the message is from a webhook and has no key and no files, like most messages of webhooks. */
export function isSimpleWebhookMessage({ draft }: Call): boolean {
  return draft.webhook != null && draft.uniqueBy === null && !draft.fileIDs?.length
}

/** Appends a simple webhook message by a smaller statement than `appendMessage`. The statement returns no columns. */
export async function appendOne(
  db: Database,
  { thread, draft }: Call,
  pipeline: string,
): Promise<WriteResult | undefined> {
  const id = newID('msg')
  const written = await execute(db, singleStatement({ thread, draft, id }), { pipeline })
  return written === 1 ? { messageID: id, created: true } : undefined
}

const workspaceID = ({ thread }: SingleAppend) => thread.workspaceID
const threadID = ({ thread }: SingleAppend) => thread.threadID
const messageID = ({ id }: SingleAppend) => id
const authorID = ({ draft }: SingleAppend) => draft.authorID
const webhook = {
  id: Prisma.sql`${({ draft }: SingleAppend) => draft.webhook?.id}`,
  keyHash: Prisma.sql`${({ draft }: SingleAppend) => draft.webhook?.keyHash}`,
}
const columns = draftColumns.filter(({ name }) => name !== 'unique_by' && name !== 'attachment_count')

const singleStatement = template(
  () => ({}),
  () => Prisma.sql`
    WITH raised_thread AS (
      UPDATE threads t
      SET last_position = t.last_position + 1, last_activity_at = greatest(t.last_activity_at, clock_timestamp())
      FROM visible_threads seen CROSS JOIN ${shortWaits}
      WHERE seen.viewer_id = ${authorID} AND seen.workspace_id = ${workspaceID} AND seen.id = ${threadID}
        AND t.workspace_id = ${workspaceID} AND t.id = ${threadID} AND t.changes = seen.changes
        AND (NOT t.replies_off OR t.started_by_id = ${authorID})
        AND ${isWebhookActive(workspaceID, webhook)}
      RETURNING t.workspace_id, t.id AS thread_id, t.last_position AS position, t.last_activity_at AS created_at
    ), new_message AS (
      SELECT raised_thread.*, ${messageID}::text AS id, ${authorID}::text AS author_id, ${Prisma.join(columns.map(givenValue))}
      FROM raised_thread
    )${insertMessages({ columns: columns.map(({ name }) => name), isOne: true })}
    SELECT FROM created`,
)

function givenValue({ name, type, value, missing }: (typeof columns)[number]): Prisma.Sql {
  const own = Prisma.sql`${({ draft }: SingleAppend) => value(draft)}::${Prisma.raw(type)}`
  return Prisma.sql`${missing ? Prisma.sql`coalesce(${own}, ${missing})` : own} AS ${Prisma.raw(name)}`
}
