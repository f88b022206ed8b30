import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { query } from '../../database/query.ts'
import { conflictAt, notFound } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { type FileRow, fileColumns } from '../rows.ts'

const inputSchema = z.object({ uploadTicketID: id })

/** Returns the file of an upload ticket of the caller. Repeated calls return the same file. */
export async function createFile(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<{ file: FileRow }> {
  requireScope(ctx, 'threads.messages:write')
  const { uploadTicketID } = parseInput(inputSchema, input)
  const { workspaceID, userID } = ctx.actor
  const [ticket] = await query<FileRow | { id: null }>(
    ctx.db,
    Prisma.sql`
      SELECT ${fileColumns} FROM upload_tickets t
      LEFT JOIN files f ON f.workspace_id = t.workspace_id AND f.id = t.file_id
      WHERE t.workspace_id = ${workspaceID} AND t.id = ${uploadTicketID} AND t.uploader_id = ${userID}`,
  )
  if (!ticket) throw notFound('upload ticket')
  if (ticket.id === null) {
    throw conflictAt(
      'ticket_not_filled',
      'uploadTicketID',
      'refers to a ticket that has no bytes yet; send them with PUT to its url first',
    )
  }
  return { file: ticket }
}
