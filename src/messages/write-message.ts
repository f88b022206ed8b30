import type { Message, Thread } from '../generated/prisma/client.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import { newID } from '../platform/ids.ts'
import { messageColumns } from './access.ts'

export type Draft = { authorID: string; text: string; uniqueBy: string | null; fileIDs: string[] }
export type Written = { message: Message; created: boolean }

/**
 * Writes a message to a thread: a new one, or the author's earlier one with the same `uniqueBy`, which keeps its ID,
 * position and creation time.
 */
export async function writeMessage(db: Database, thread: Thread, draft: Draft): Promise<Written> {
  const { uniqueBy } = draft
  if (uniqueBy === null) return { message: await insertMessage(db, thread, draft), created: true }
  return inTransaction(db, async (tx) => {
    // Under the lock of the thread, what the next statement sees is what is there until the commit.
    await tx.$queryRaw`SELECT FROM threads WHERE workspace_id = ${thread.workspaceID} AND id = ${thread.id} FOR UPDATE`
    const updated = await updateMessage(tx, thread, { ...draft, uniqueBy })
    if (updated) return { message: updated, created: false }
    return { message: await insertMessage(tx, thread, draft), created: true }
  })
}

/**
 * One statement. Raising the thread's last position locks its row until the commit, so positions are given in the
 * order of commits, and the time is taken after the wait, so it follows the positions.
 */
async function insertMessage(
  db: Database,
  { workspaceID, id: threadID }: Thread,
  draft: Draft,
): Promise<Message> {
  const { authorID, text, uniqueBy, fileIDs } = draft
  const [message] = await db.$queryRaw<Message[]>`
    WITH thread AS (
      UPDATE threads
      SET last_position = last_position + 1, last_activity_at = greatest(last_activity_at, clock_timestamp())
      WHERE workspace_id = ${workspaceID} AND id = ${threadID}
      RETURNING last_position, last_activity_at
    ), m AS (
      INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, unique_by, created_at)
      SELECT ${workspaceID}, ${newID('msg')}, ${threadID}, last_position, ${authorID}, ${text}, ${uniqueBy}, last_activity_at
      FROM thread
      RETURNING *
    ), attached AS (
      INSERT INTO attachments (workspace_id, message_id, position, file_id)
      SELECT ${workspaceID}, m.id, file.position, file.id
      FROM m, unnest(${fileIDs}::text[]) WITH ORDINALITY AS file (id, position)
    )
    SELECT ${messageColumns} FROM m`
  if (!message) throw new Error(`The thread ${threadID} was there and is gone`)
  return message
}

async function updateMessage(
  tx: Database,
  { workspaceID, id: threadID }: Thread,
  { authorID, text, uniqueBy, fileIDs }: Draft,
): Promise<Message | undefined> {
  const [message] = await tx.$queryRaw<Message[]>`
    UPDATE messages m SET text = ${text}, edited_at = clock_timestamp()
    WHERE m.workspace_id = ${workspaceID} AND m.thread_id = ${threadID}
      AND m.author_id = ${authorID} AND m.unique_by = ${uniqueBy}
    RETURNING ${messageColumns}`
  if (!message) return undefined
  await tx.attachment.deleteMany({ where: { workspaceID, messageID: message.id } })
  const attached = fileIDs.map((fileID, index) => ({
    workspaceID,
    messageID: message.id,
    position: index + 1,
    fileID,
  }))
  if (attached.length > 0) await tx.attachment.createMany({ data: attached })
  return message
}
