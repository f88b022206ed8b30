import type { Context, UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { Prisma, type UploadTicket } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import type { DeclaredFile } from '../store-file.ts'
import { ticketColumns } from './rows.ts'

export async function createUploadTicket(
  { db, actor, config }: Context<UserActor>,
  { name, sizeBytes, md5 }: Pick<DeclaredFile, 'name' | 'sizeBytes' | 'md5'>,
): Promise<UploadTicket> {
  const [ticket] = await query<UploadTicket>(
    db,
    Prisma.sql`
      INSERT INTO upload_tickets AS t (workspace_id, id, uploader_id, name, size_bytes, md5, expires_at)
      VALUES (${actor.workspaceID}, ${newID('upl')}, ${actor.userID}, ${name}, ${sizeBytes}, ${md5},
        now() + make_interval(secs => ${config.uploadTicketTTLSeconds}::integer))
      RETURNING ${ticketColumns}`,
  )
  if (!ticket) throw new Error('The upload ticket was not created')
  return ticket
}
