import { type Context, requireScope } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { pageLoader } from '../../database/loader.ts'
import { emptyPage, type Listing, type PageArgs } from '../../database/paging.ts'
import { type FileRow, fileColumns } from '../../files/rows.ts'
import { type Message, Prisma, type Thread } from '../../generated/prisma/client.ts'
import { parseID } from '../../input.ts'
import { PageError } from '../../platform/cursors.ts'
import { findFirstUnread } from '../reads/read-state.ts'
import { type AuthoredMessage, joinAuthor, messageColumns } from '../rows.ts'
import { byPosition } from './message-order.ts'
import { pageAround, sizeAround } from './page-around.ts'

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

const loadAttachments = pageLoader<Context, FileRow>((_ctx, workspaceID) => attachmentsIn(workspaceID))

type MessageArgs = PageArgs & {
  around?: string | null | undefined
  aroundFirstUnread?: boolean | null | undefined
}

/** Returns the messages by position. `around` is the ID of the message in the middle of the page. */
export async function listMessages(
  ctx: Context,
  thread: Thread,
  { around, aroundFirstUnread, ...args }: MessageArgs,
): Promise<Connection<AuthoredMessage>> {
  requireScope(ctx, 'threads.messages:read')
  if (aroundFirstUnread) {
    if (around != null) throw new PageError('around', 'cannot be used together with aroundFirstUnread')
    const size = sizeAround(args, 'aroundFirstUnread')
    const firstUnread = await findFirstUnread(ctx, thread)
    if (!firstUnread) return loadMessages(ctx, thread, { last: size })
    return pageAround(ctx, thread, firstUnread.id, size)
  }
  if (around == null) return loadMessages(ctx, thread, args)
  return pageAround(ctx, thread, parseID(around, 'around'), sizeAround(args, 'around'))
}

export function listAttachments(
  ctx: Context,
  message: Message,
  args: PageArgs,
): Connection<FileRow> | Promise<Connection<FileRow>> {
  if (message.attachmentCount === 0) return emptyPage(attachmentsIn(message.workspaceID), args)
  return loadAttachments(ctx, message, args)
}
