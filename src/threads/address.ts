import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Context, UserActor } from '../context.ts'
import { query } from '../database/query.ts'
import { AppError, invalidField, notFound } from '../errors.ts'
import { type Group, Prisma, type Thread, type User } from '../generated/prisma/client.ts'
import { accessGroup } from '../groups/access.ts'
import { prefixOf } from '../platform/ids.ts'
import type { Scope } from '../scopes.ts'
import { accessUser } from '../users/access.ts'
import { dmWith, groupChatOf } from './chats.ts'
import { threadColumns } from './rows.ts'

export type Address = {
  recipients: readonly string[]
  subject?: string | null | undefined
  threadBy?: string | null | undefined
  /** The message that the thread is started from. Such a thread is a plain thread, even without a subject. */
  fromMessageID?: string | null | undefined
}

/** A thread that is not created yet. Everything that can be checked before its creation has been checked. */
export type NewThread = {
  recipients: (User | Group)[]
  subject: string | null
  threadBy: ThreadBy | null
  fromMessageID: string | null
  /** The closed thread that has rested, and gives its key to the new one. */
  replaces?: string | undefined
}

/** Identifies one thread of an author. `recipientsKey` is the ID of the only recipient, or a hash of all IDs. */
export type ThreadBy = { recipientsKey: string; value: string }

/** Returns the cached thread ID of an address that always means the same thread. Does not check access. */
export function cachedThread(ctx: Context<UserActor>, address: Address): string | undefined {
  const key = cacheKeyOf(ctx, address)
  return key === undefined ? undefined : cached.get(key)
}

const cached = new LRUCache<string, string>({ max: 20_000 })

export function cacheThread(ctx: Context<UserActor>, address: Address, threadID: string): void {
  const key = cacheKeyOf(ctx, address)
  if (key !== undefined) cached.set(key, threadID)
}

function cacheKeyOf({ actor }: Context<UserActor>, address: Address): string | undefined {
  const [group, ...others] = address.recipients
  if (group === undefined || others.length > 0 || prefixOf(group) === 'usr') return undefined
  if (address.threadBy != null) return JSON.stringify([actor.userID, group, address.threadBy])
  const isChat = address.subject == null && address.fromMessageID == null
  return isChat ? JSON.stringify([actor.workspaceID, group]) : undefined
}

/**
 * Returns the caller's thread with this `threadBy`, if it exists. If it does not exist, throws unless the address has a
 * `subject` or a `fromMessageID`. An address with one recipient and none of the three means the DM with this
 * user or the chat of this group. Any other address means a new thread. If the thread with this `threadBy` has been
 * closed for `restSeconds`, a new thread takes its key, and its subject if the address has none.
 */
export async function addressThread(
  ctx: Context<UserActor>,
  address: Address,
  restSeconds: number | null,
): Promise<Thread | NewThread> {
  const recipients = await accessRecipients(ctx, address.recipients)
  const threadBy =
    address.threadBy == null ? null : { recipientsKey: recipientsKeyOf(recipients), value: address.threadBy }
  if (threadBy) {
    const thread = await findThreadBy(ctx, threadBy, restSeconds)
    if (thread?.hasRested) {
      const subject = address.subject ?? thread.subject
      return {
        recipients,
        subject,
        threadBy,
        fromMessageID: address.fromMessageID ?? null,
        replaces: thread.id,
      }
    }
    if (thread) return thread
    if (address.subject == null && address.fromMessageID == null) {
      throw invalidField('thread.subject', 'is required because no thread with this threadBy exists yet')
    }
  }
  const { subject = null, fromMessageID = null } = address
  const [only] = recipients
  if (subject === null && fromMessageID === null) {
    if (!only) {
      throw invalidField(
        'thread.recipients',
        'must name someone other than you; you cannot have a DM with yourself',
      )
    }
    if (recipients.length === 1) return isUser(only) ? dmWith(ctx, only) : groupChatOf(ctx, only)
  }
  return { recipients, subject, threadBy, fromMessageID }
}

/** Whether the thread `t` has been closed for so many seconds. Null means for ever. */
export function hasRested(restSeconds: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(t.closed_at < clock_timestamp() - make_interval(secs => ${restSeconds}))`
}

async function findThreadBy(
  ctx: Context<UserActor>,
  { recipientsKey, value }: ThreadBy,
  restSeconds: number | null,
): Promise<(Thread & { hasRested: boolean }) | undefined> {
  const [thread] = await query<Thread & { isVisible: boolean; hasRested: boolean }>(
    ctx.db,
    Prisma.sql`
    SELECT ${threadColumns}, coalesce(${hasRested(Prisma.sql`${restSeconds}::double precision`)}, FALSE) AS "hasRested", EXISTS (
      SELECT FROM visible_threads
      WHERE viewer_id = ${ctx.actor.userID} AND workspace_id = t.workspace_id AND id = t.id OFFSET 0) AS "isVisible"
    FROM threads t
    WHERE t.workspace_id = ${ctx.actor.workspaceID} AND t.started_by_id = ${ctx.actor.userID}
      AND t.thread_by_target = ${recipientsKey} AND t.thread_by = ${value}`,
  )
  if (thread && !thread.isVisible) {
    const errors = [
      {
        field: 'thread.threadBy',
        message: 'identifies a thread that you can no longer see; use another value',
      },
    ]
    throw new AppError('not_found', 'You can no longer see the thread with this threadBy.', { errors })
  }
  return thread
}

export function isUser(recipient: User | Group): recipient is User {
  return prefixOf(recipient.id) === 'usr'
}

// If no recipient is a group, the caller is always a recipient, and is omitted here. One remaining user means the DM.
async function accessRecipients(ctx: Context<UserActor>, ids: readonly string[]): Promise<(User | Group)[]> {
  const namesGroup = ids.some((id) => prefixOf(id) !== 'usr')
  const named = [...new Set(ids)].filter((id) => namesGroup || id !== ctx.actor.userID)
  return Promise.all(named.map((id) => accessRecipient(ctx, id, 'threads.messages:write')))
}

/** Returns a user who is not deleted, or a group, to which a thread can be addressed. */
export async function accessRecipient(
  ctx: Context<UserActor>,
  id: string,
  scope: Scope,
): Promise<User | Group> {
  if (prefixOf(id) !== 'usr') return accessGroup(ctx, id, scope)
  const user = await accessUser(ctx, id, scope)
  if (user.deletedAt) throw notFound('user')
  return user
}

/** Returns the IDs of the thread's recipients that the caller can see. */
export async function recipientIDsOf(
  { db, actor }: Context<UserActor>,
  { workspaceID, id, chatGroupID, dmLowUserID, dmHighUserID }: Thread,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    Prisma.sql`
    SELECT r.recipient_id AS id FROM recipients r
    WHERE r.workspace_id = ${workspaceID} AND r.thread_id = ${id}
      AND (r.group_id IS NULL OR EXISTS (
        SELECT FROM visible_groups
        WHERE viewer_id = ${actor.userID} AND workspace_id = r.workspace_id AND id = r.group_id OFFSET 0))
    ORDER BY 1`,
  )
  const own = [chatGroupID, dmLowUserID, dmHighUserID].filter((one) => one !== null)
  return [...own, ...rows.map((row) => row.id)]
}

function recipientsKeyOf(recipients: (User | Group)[]): string {
  const [only] = recipients
  if (only && recipients.length === 1) return only.id
  const ids = recipients.map((recipient) => recipient.id).sort()
  return createHash('sha256').update(ids.join(' ')).digest('hex')
}
