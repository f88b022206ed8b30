import { isAvatar } from '../apps/avatars.ts'
import { type Context, requireScope, requireUser, type UserActor } from '../context.ts'
import { rowLoader, selectLoader } from '../database/loader.ts'
import { query, rowsBy } from '../database/query.ts'
import { notFound } from '../errors.ts'
import { type FileLink, refusedLink } from '../files/links.ts'
import { type FileRow, fileColumns } from '../files/rows.ts'
import { type Message, Prisma, type Thread } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import type { Scope } from '../scopes.ts'
import { accessThread } from '../threads/access.ts'
import { findUserUnscoped } from '../users/access.ts'
import { type AuthoredMessage, joinAuthor, messageColumns } from './rows.ts'

const loadMessage = selectLoader<Context<UserActor>, AuthoredMessage>(
  ({ actor }, workspaceID, ids) => Prisma.sql`
    ${messagesBy(workspaceID, ids)} WHERE EXISTS (
      SELECT FROM visible_threads
      WHERE viewer_id = ${actor.userID} AND workspace_id = m.workspace_id AND id = m.thread_id OFFSET 0)`,
)

const loadWrittenMessage = selectLoader<Context, AuthoredMessage>((_ctx, ...keys) => messagesBy(...keys))

function messagesBy(workspaceID: string, ids: string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT ${messageColumns}
    FROM ${rowsBy('id', ids, { table: 'messages', alias: 'm', workspaceID })} ${joinAuthor}`
}

/** Returns the message that the caller's mutation has just written, even if the caller can no longer see it. */
export async function writtenMessage(
  ctx: Context,
  { messageID }: { messageID: string },
): Promise<AuthoredMessage> {
  requireUser(ctx)
  const message = await loadWrittenMessage(ctx, ctx.actor.workspaceID, messageID)
  if (!message) throw new Error(`The message ${messageID} was written but does not exist`)
  return message
}

// Expects keys `thr_... position`. The caller's access to these threads must have been checked.
const loadMessageAt = rowLoader((ctx: Context<UserActor>, workspaceID, positionKeys) =>
  messagesFrom(
    ctx,
    positionKeys,
    Prisma.sql`
    SELECT * FROM messages
    WHERE workspace_id = ${workspaceID} AND thread_id = wanted.thread_id AND position = wanted.position`,
  ),
)

/**
 * Returns one message for each key, such as `thr_... 5`: a thread ID and a position. `messageSelect` is the SELECT of
 * one message. It can refer to the thread ID and position of the key as `wanted.thread_id` and `wanted.position`.
 */
export async function messagesFrom(
  { db }: Context,
  positionKeys: string[],
  messageSelect: Prisma.Sql,
): Promise<Map<string, AuthoredMessage>> {
  const parts = positionKeys.map((key) => key.split(' '))
  const rows = await query<AuthoredMessage & { positionKey: string }>(
    db,
    Prisma.sql`
    SELECT wanted.thread_id || ' ' || wanted.position AS "positionKey", ${messageColumns}
    FROM unnest(${parts.map(([threadID]) => threadID)}::text[], ${parts.map(([, position]) => Number(position))}::integer[])
      AS wanted (thread_id, position)
    CROSS JOIN LATERAL (${messageSelect} OFFSET 0) AS m ${joinAuthor}`,
  )
  return new Map(rows.map((row) => [row.positionKey, row]))
}

const loadFile = selectLoader<Context<UserActor>, FileRow>(
  (ctx, workspaceID, ids) => Prisma.sql`
    SELECT ${fileColumns}
    FROM ${rowsBy('id', ids, { table: 'visible_files', alias: 'f', workspaceID, viewerID: ctx.actor.userID })}`,
)

export async function findMessage(
  ctx: Context,
  id: string,
  scope: Scope = 'threads.messages:read',
): Promise<AuthoredMessage | undefined> {
  requireScope(ctx, scope)
  return prefixOf(id) === 'msg' ? loadMessage(ctx, ctx.actor.workspaceID, id) : undefined
}

export async function accessMessage(ctx: Context, id: string, scope?: Scope): Promise<AuthoredMessage> {
  const message = await findMessage(ctx, id, scope)
  if (!message) throw notFound('message')
  return message
}

export function accessThreadOf(ctx: Context, { threadID }: Message): Promise<Thread> {
  return accessThread(ctx, threadID, 'threads.messages:read')
}

/** Returns the message at a position of a thread. The caller's access to the thread must have been checked. */
export async function findMessageAt(
  ctx: Context,
  { workspaceID, id, lastPosition }: Thread,
  position: number,
): Promise<AuthoredMessage | undefined> {
  requireScope(ctx, 'threads.messages:read')
  if (position < 1 || position > lastPosition) return undefined
  return loadMessageAt(ctx, workspaceID, `${id} ${position}`)
}

/** Returns the file if the caller uploaded it, or can see a message to which it is attached. */
export async function findFile(ctx: Context, id: string): Promise<FileRow | undefined> {
  requireScope(ctx, 'threads.messages:read')
  return prefixOf(id) === 'fil' ? loadFile(ctx, ctx.actor.workspaceID, id) : undefined
}

/**
 * Returns the file of a link, and how long the link is still valid. If the link has expired, or the link's user does not
 * exist or cannot see the file, always throws the same error.
 */
export async function accessLinkedFile(
  shared: Omit<Context, 'actor'>,
  { workspaceID, userID, fileID, expires }: FileLink,
): Promise<{ file: FileRow; secondsLeft: number }> {
  const actor: UserActor = { kind: 'user', workspaceID, userID, scopes: new Set(['threads.messages:read']) }
  const ctx = { ...shared, actor }
  const [user, file] = await Promise.all([findUserUnscoped(ctx, workspaceID, userID), findFile(ctx, fileID)])
  if (!file || !user || user.deletedAt) throw refusedLink()
  const secondsLeft = expires - file.readAt.getTime() / 1000
  if (secondsLeft <= 0) throw refusedLink()
  return { file, secondsLeft }
}

/** Returns the condition that the file of a row is attached to a message or is a picture. The row has `workspace_id` and `id`. */
export function isInUse(file: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(EXISTS (
    SELECT FROM attachments a WHERE a.workspace_id = ${file}.workspace_id AND a.file_id = ${file}.id OFFSET 0)
    OR ${isAvatar(file)})`
}
