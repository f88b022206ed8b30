import { type Context, requireScope } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { pageLoader } from '../../database/loader.ts'
import { emptyPage, type Listing, type PageArgs } from '../../database/paging.ts'
import { fileColumns } from '../../files/rows.ts'
import { type File, type Message, Prisma, type Thread } from '../../generated/prisma/client.ts'
import { type AuthoredMessage, joinAuthor, messageColumns } from '../rows.ts'
import { byPosition } from './message-order.ts'
import { pageAround } from './page-around.ts'

const loadMessages = pageLoader<Context, AuthoredMessage>((_ctx, workspaceID) => ({
  ...byPosition,
  columns: messageColumns,
  from: Prisma.sql`messages m ${joinAuthor}`,
  where: Prisma.sql`m.workspace_id = ${workspaceID} AND m.thread_id = parent.id`,
}))

const attachmentsIn = (workspaceID: string): Listing => ({
  name: 'attachments',
  columns: fileColumns,
  from: Prisma.sql`attachments a CROSS JOIN LATERAL (
    SELECT * FROM files WHERE workspace_id = ${workspaceID} AND id = a.file_id OFFSET 0) AS f`,
  where: Prisma.sql`a.workspace_id = ${workspaceID} AND a.message_id = parent.id`,
  keys: [{ column: Prisma.sql`a.position`, type: 'integer' }],
})

const loadAttachments = pageLoader<Context, File>((_ctx, workspaceID) => attachmentsIn(workspaceID))

/** Returns the messages by position. `around` is the ID of the message in the middle of the page. */
export async function listMessages(
  ctx: Context,
  thread: Thread,
  { around, ...args }: PageArgs & { around?: string | null | undefined },
): Promise<Connection<AuthoredMessage>> {
  requireScope(ctx, 'threads.messages:read')
  if (around == null) return loadMessages(ctx, thread, args)
  return pageAround(ctx, thread, around, args)
}

export function listAttachments(
  ctx: Context,
  message: Message,
  args: PageArgs,
): Connection<File> | Promise<Connection<File>> {
  if (message.attachmentCount === 0) return emptyPage(attachmentsIn(message.workspaceID), args)
  return loadAttachments(ctx, message, args)
}
