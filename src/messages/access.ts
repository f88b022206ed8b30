import { type Context, requireScope, type Scope, type UserActor } from '../context.ts'
import { notFound } from '../errors.ts'
import { fileColumns } from '../files/access.ts'
import { type File, type Message, Prisma } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import { byID, rowLoader } from '../platform/loader.ts'
import { query, rowsBy } from '../platform/query.ts'
import { visibleThreads } from '../threads/access.ts'

export const messageColumns = Prisma.sql`m.workspace_id AS "workspaceID", m.id, m.thread_id AS "threadID", m.position,
  m.author_id AS "authorID", m.text, m.unique_by AS "uniqueBy", m.created_at AS "createdAt", m.edited_at AS "editedAt"`

const loadMessage = rowLoader(async (ctx: Context<UserActor>, workspaceID, ids) =>
  byID(
    await query<Message>(
      ctx.db,
      Prisma.sql`
      SELECT ${messageColumns}
      FROM ${rowsBy('id', ids, { table: 'messages', alias: 'm', workspaceID })}
      JOIN threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
      WHERE ${visibleThreads(ctx.actor)}`,
    ),
  ),
)

const loadFile = rowLoader(async (ctx: Context<UserActor>, workspaceID, ids) =>
  byID(
    await query<File>(
      ctx.db,
      Prisma.sql`
      SELECT ${fileColumns} FROM ${rowsBy('id', ids, { table: 'files', alias: 'f', workspaceID })}
      WHERE (f.uploader_id = ${ctx.actor.userID} OR EXISTS (
          SELECT FROM attachments a
          JOIN messages m ON m.workspace_id = a.workspace_id AND m.id = a.message_id
          JOIN threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
          WHERE a.workspace_id = f.workspace_id AND a.file_id = f.id AND ${visibleThreads(ctx.actor)}))`,
    ),
  ),
)

/** A message in a thread that the caller may see. Throws `forbidden`. */
export async function findMessage(
  ctx: Context,
  id: string,
  scope: Scope = 'threads:read',
): Promise<Message | undefined> {
  requireScope(ctx, scope)
  return prefixOf(id) === 'msg' ? loadMessage(ctx, ctx.actor.workspaceID, id) : undefined
}

/** The same. Throws `not_found`. */
export async function accessMessage(ctx: Context, id: string, scope?: Scope): Promise<Message> {
  const message = await findMessage(ctx, id, scope)
  if (!message) throw notFound('message')
  return message
}

/** A file that the caller uploaded, or that is attached to a message it may see. Throws `forbidden`. */
export async function findFile(ctx: Context, id: string): Promise<File | undefined> {
  requireScope(ctx, 'threads:read')
  return prefixOf(id) === 'fil' ? loadFile(ctx, ctx.actor.workspaceID, id) : undefined
}
