import { whileWebhookActive } from '../apps/webhooks/own-webhook.ts'
import type { Context, UserActor, WebhookActor } from '../context.ts'
import { query } from '../database/query.ts'
import { notFound } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import { threadIDByKey } from '../threads/find-thread.ts'
import { deleteMessage } from './delete-message.ts'
import type { ChangeMessageResult } from './lock-message.ts'
import type { ThreadChange } from './thread-changes/change-thread.ts'
import { updateThread } from './thread-changes/update-thread.ts'

/** A message by its ID, or by its key in a thread, in the chat of a group, or in the thread that `threadBy` identifies. */
export type OwnMessage =
  | { messageID: string }
  | { target: string; threadBy?: string | undefined; uniqueBy: string }

/** A thread by its ID, or by the key with which it was started in a group. */
export type OwnThread = { threadID: string } | { groupID: string; threadBy: string }

/** Deletes a message that the webhook wrote. Any other message is answered as if it did not exist. */
export async function deleteOwnMessage(
  ctx: Context<WebhookActor>,
  message: OwnMessage,
): Promise<ChangeMessageResult> {
  const messageID = await findID(ctx, ownMessage(ctx.actor, message))
  if (messageID === undefined) throw notFound('message')
  return whileWebhookActive(ctx, (inTx) => deleteMessage(inTx, { messageID }))
}

/** Changes a thread that the webhook started. Any other thread is answered as if it did not exist. */
export async function updateOwnThread(
  ctx: Context<WebhookActor>,
  thread: OwnThread,
  changes: { subject?: string | undefined; closed?: boolean | undefined },
): Promise<ThreadChange> {
  const threadID = await findID(ctx, ownThread(ctx.actor, thread))
  if (threadID === undefined) throw notFound('thread')
  return whileWebhookActive(ctx, (inTx) => updateThread(inTx, { threadID, ...changes }))
}

async function findID({ db }: Context, select: Prisma.Sql | undefined): Promise<string | undefined> {
  const [found] = select ? await query<{ id: string }>(db, select) : []
  return found?.id
}

function ownMessage(actor: UserActor, message: OwnMessage): Prisma.Sql | undefined {
  if ('messageID' in message && prefixOf(message.messageID) !== 'msg') return undefined
  const condition =
    'messageID' in message
      ? Prisma.sql`id = ${message.messageID}`
      : Prisma.sql`unique_by = ${message.uniqueBy} AND thread_id = ${threadIDOf(actor, message)}`
  return Prisma.sql`
    SELECT id FROM messages
    WHERE workspace_id = ${actor.workspaceID} AND author_id = ${actor.userID} AND ${condition}`
}

function threadIDOf(
  actor: UserActor,
  { target, threadBy }: { target: string; threadBy?: string | undefined },
): Prisma.Sql {
  if (prefixOf(target) === 'thr') return Prisma.sql`${target}`
  return threadBy === undefined
    ? Prisma.sql`(SELECT id FROM threads WHERE workspace_id = ${actor.workspaceID} AND chat_group_id = ${target})`
    : Prisma.sql`(${threadIDByKey(actor, { groupID: target, threadBy })})`
}

function ownThread(actor: UserActor, thread: OwnThread): Prisma.Sql | undefined {
  if ('threadBy' in thread) return threadIDByKey(actor, thread)
  if (prefixOf(thread.threadID) !== 'thr') return undefined
  return Prisma.sql`
    SELECT id FROM threads
    WHERE workspace_id = ${actor.workspaceID} AND id = ${thread.threadID} AND started_by_id = ${actor.userID}`
}
