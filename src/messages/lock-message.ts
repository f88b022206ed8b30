import type { Context, UserActor } from '../context.ts'
import { query } from '../database/query.ts'
import { AppError, conflictAt, notFound } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type LockedThread, lockThread } from '../threads/lock-thread.ts'
import { accessMessage } from './access.ts'

export type ChangeMessageResult = { messageID: string }

type LockedMessage = {
  authorID: string
  isSystemMessage: boolean
  deletedAt: Date | null
  version: bigint | null
  state: string | null
}

/** Locks a message that the caller can see, and its thread, until the transaction ends. */
export async function lockMessage(
  ctx: Context<UserActor>,
  messageID: string,
): Promise<LockedMessage & { thread: LockedThread }> {
  const { threadID, workspaceID } = await accessMessage(ctx, messageID, 'threads.messages:write')
  const thread = await lockThread(ctx, threadID)
  // A reaction locks only the message. All other statements that write to a thread lock the thread first.
  const [message] = await query<LockedMessage>(
    ctx.db,
    Prisma.sql`
    SELECT author_id AS "authorID", event IS NOT NULL AS "isSystemMessage", deleted_at AS "deletedAt", version, state
    FROM messages
    WHERE workspace_id = ${workspaceID} AND id = ${messageID} FOR UPDATE`,
  )
  if (!message) throw notFound('message')
  return { ...message, thread }
}

/** Locks a message that the caller wrote. Refuses system messages and deleted messages. */
export async function lockOwnMessage(ctx: Context<UserActor>, messageID: string) {
  const message = await lockMessage(ctx, messageID)
  const { authorID, isSystemMessage, deletedAt } = message
  if (authorID !== ctx.actor.userID) {
    throw new AppError('forbidden', 'You can only edit your own messages.')
  }
  if (isSystemMessage)
    throw conflictAt('system_message', 'messageID', 'refers to a system message, which cannot be edited')
  if (deletedAt) throw conflictAt('message_deleted', 'messageID', 'refers to a deleted message')
  return message
}
