import { type Context, requireScope, type UserActor } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { pageLoader } from '../../database/loader.ts'
import { byCreation, type PageArgs } from '../../database/paging.ts'
import { conflictAt } from '../../errors.ts'
import { type Message, Prisma, type Thread } from '../../generated/prisma/client.ts'
import { type Address, recipientIDsOf } from '../../threads/address.ts'
import { threadColumns } from '../../threads/rows.ts'
import { findUserUnscoped } from '../../users/access.ts'
import { accessMessage, accessThreadOf, findMessage } from '../access.ts'
import type { AuthoredMessage } from '../rows.ts'

const loadStarted = pageLoader<Context<UserActor>, Thread>(({ actor }, workspaceID) => ({
  name: 'threads',
  columns: threadColumns,
  from: Prisma.sql`visible_threads t`,
  where: Prisma.sql`t.viewer_id = ${actor.userID} AND t.workspace_id = ${workspaceID} AND t.from_message_id = parent.id`,
  keys: byCreation('t'),
}))

/** Returns the visible threads that were started from a message, oldest first. */
export async function listStartedThreads(
  ctx: Context,
  message: Message,
  args: PageArgs,
): Promise<Connection<Thread>> {
  requireScope(ctx, 'threads:read')
  return loadStarted(ctx, message, args)
}

/** Returns the message that a thread was started from, or null if the caller cannot see it. */
export async function findFromMessage(ctx: Context, thread: Thread): Promise<AuthoredMessage | null> {
  if (thread.fromMessageID === null) return null
  return (await findMessage(ctx, thread.fromMessageID)) ?? null
}

/** Checks `fromMessageID`. If the address has no recipients, adds the visible recipients of the message's thread. */
export async function withRecipientsOfMessage(ctx: Context<UserActor>, address: Address): Promise<Address> {
  if (address.fromMessageID == null) return address
  const message = await accessMessage(ctx, address.fromMessageID, 'threads.messages:write')
  if (message.deletedAt)
    throw conflictAt('message_deleted', 'thread.fromMessageID', 'refers to a deleted message')
  if (address.recipients.length > 0) return address
  const thread = await accessThreadOf(ctx, message)
  const recipientIDs = await recipientIDsOf(ctx, thread)
  // Omits deleted users. Keeps groups, because the look-up finds no user with the ID of a group.
  const users = await Promise.all(recipientIDs.map((id) => findUserUnscoped(ctx, thread.workspaceID, id)))
  return { ...address, recipients: recipientIDs.filter((_, index) => !users[index]?.deletedAt) }
}
