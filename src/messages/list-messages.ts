import { type AuthoredMessage, authorOfMessage, messageColumns } from './rows.ts'
import { fileColumns } from '../files/rows.ts'
import { type Context, requireScope } from '../context.ts'
import { type File, type Message, Prisma, type Thread } from '../generated/prisma/client.ts'
import { pageLoader } from '../platform/loader.ts'
import { type Connection, emptyPage, type Listing, type PageArgs } from '../platform/paging.ts'
import { byPosition } from './message-order.ts'
import { pageAround } from './page-around.ts'

const loadMessages = pageLoader<Context, AuthoredMessage>((_ctx, workspaceID) => ({
  ...byPosition,
  columns: messageColumns,
  from: Prisma.sql`messages m ${authorOfMessage}`,
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

/**
 * The messages of a thread that the caller may see, in the order of their positions; `around` names one of them that the
 * page is to have in its middle. Throws `forbidden`, PageError, and `not_found` if that is not a message of the thread.
 */
export async function listMessages(
  ctx: Context,
  thread: Thread,
  { around, ...args }: PageArgs & { around?: string | null | undefined },
): Promise<Connection<AuthoredMessage>> {
  requireScope(ctx, 'threads.messages:read')
  if (around == null) return loadMessages(ctx, thread, args)
  return pageAround(ctx, thread, around, args)
}

/** The files attached to a message that the caller may see, in the order given. */
export function listAttachments(
  ctx: Context,
  message: Message,
  args: PageArgs,
): Connection<File> | Promise<Connection<File>> {
  if (message.attachmentCount === 0) return emptyPage(attachmentsIn(message.workspaceID), args)
  return loadAttachments(ctx, message, args)
}
