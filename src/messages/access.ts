import { type AuthoredMessage, authorOfMessage, messageColumns } from './rows.ts'
import { fileColumns } from '../files/rows.ts'
import { type Context, requireScope, requireUser, type UserActor } from '../context.ts'
import { notFound } from '../errors.ts'
import { type File, type Message, Prisma, type Thread, type User } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import { byID, rowLoader } from '../platform/loader.ts'
import { query, rowsBy } from '../platform/query.ts'
import type { Scope } from '../scopes.ts'
import { accessThread } from '../threads/access.ts'

const loadMessage = rowLoader((ctx: Context<UserActor>, workspaceID, ids) =>
  messagesBy(
    ctx,
    workspaceID,
    ids,
    Prisma.sql`WHERE EXISTS (
      SELECT FROM visible_threads
      WHERE viewer_id = ${ctx.actor.userID} AND workspace_id = m.workspace_id AND id = m.thread_id OFFSET 0)`,
  ),
)

const loadWrittenMessage = rowLoader((ctx: Context, workspaceID, ids) =>
  messagesBy(ctx, workspaceID, ids, Prisma.empty),
)

async function messagesBy({ db }: Context, workspaceID: string, ids: string[], visible: Prisma.Sql) {
  return byID(
    await query<AuthoredMessage>(
      db,
      Prisma.sql`
      SELECT ${messageColumns}
      FROM ${rowsBy('id', ids, { table: 'messages', alias: 'm', workspaceID })} ${authorOfMessage} ${visible}`,
    ),
  )
}

/**
 * The message that a mutation of the caller has just written or changed, for its payload. The right to write it was the
 * right to see it, so nothing asks again: what was committed is answered, also if the caller has lost that right since.
 */
export async function writtenMessage(
  ctx: Context,
  { messageID }: { messageID: string },
): Promise<AuthoredMessage> {
  requireUser(ctx)
  const message = await loadWrittenMessage(ctx, ctx.actor.workspaceID, messageID)
  if (!message) throw new Error(`The message ${messageID} was written but does not exist`)
  return message
}

/** Messages of threads that the caller was found to see, by `thr_... position`. */
const loadMessageAt = rowLoader((ctx: Context<UserActor>, workspaceID, places) =>
  messagesFrom(
    ctx,
    places,
    Prisma.sql`
    SELECT * FROM messages
    WHERE workspace_id = ${workspaceID} AND thread_id = wanted.thread_id AND position = wanted.position`,
  ),
)

/** For each place, `thr_... position`, the message that a SELECT finds for `wanted (thread_id, position)`. */
export async function messagesFrom(
  { db }: Context,
  places: string[],
  found: Prisma.Sql,
): Promise<Map<string, AuthoredMessage>> {
  const parts = places.map((place) => place.split(' '))
  const rows = await query<AuthoredMessage & { place: string }>(
    db,
    Prisma.sql`
    SELECT wanted.thread_id || ' ' || wanted.position AS place, ${messageColumns}
    FROM unnest(${parts.map(([threadID]) => threadID)}::text[], ${parts.map(([, position]) => Number(position))}::integer[])
      AS wanted (thread_id, position)
    CROSS JOIN LATERAL (${found} OFFSET 0) AS m ${authorOfMessage}`,
  )
  return new Map(rows.map((row) => [row.place, row]))
}

const loadFile = rowLoader(async (ctx: Context<UserActor>, workspaceID, ids) =>
  byID(
    await query<File>(
      ctx.db,
      Prisma.sql`
      SELECT ${fileColumns}
      FROM ${rowsBy('id', ids, { table: 'visible_files', alias: 'f', workspaceID, viewerID: ctx.actor.userID })}`,
    ),
  ),
)

/** A message in a thread that the caller may see. Throws `forbidden`. */
export async function findMessage(
  ctx: Context,
  id: string,
  scope: Scope = 'threads.messages:read',
): Promise<AuthoredMessage | undefined> {
  requireScope(ctx, scope)
  return prefixOf(id) === 'msg' ? loadMessage(ctx, ctx.actor.workspaceID, id) : undefined
}

/** The same. Throws `not_found`. */
export async function accessMessage(ctx: Context, id: string, scope?: Scope): Promise<AuthoredMessage> {
  const message = await findMessage(ctx, id, scope)
  if (!message) throw notFound('message')
  return message
}

/** The thread that a message is in. */
export function accessThreadOf(ctx: Context, { threadID }: Message): Promise<Thread> {
  return accessThread(ctx, threadID, 'threads.messages:read')
}

/** The message at a position of a thread that the caller was found to see. Throws `forbidden`. */
export async function findMessageAt(
  ctx: Context,
  { workspaceID, id, lastPosition }: Thread,
  position: number,
): Promise<AuthoredMessage | undefined> {
  requireScope(ctx, 'threads.messages:read')
  if (position < 1 || position > lastPosition) return undefined
  return loadMessageAt(ctx, workspaceID, `${id} ${position}`)
}

/** A file that the caller uploaded, or that is attached to a message it may see. Throws `forbidden`. */
export async function findFile(ctx: Context, id: string): Promise<File | undefined> {
  requireScope(ctx, 'threads.messages:read')
  return prefixOf(id) === 'fil' ? loadFile(ctx, ctx.actor.workspaceID, id) : undefined
}
