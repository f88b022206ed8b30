import type { Readable } from 'node:stream'
import type { Context, UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { conflict, invalidField } from '../../errors.ts'
import { type File, Prisma, type UploadTicket } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { refusedLink } from '../links.ts'
import { type DeclaredFile, storeFile } from '../store-file.ts'
import { ticketColumns } from './rows.ts'

type Shared = Pick<Context, 'db' | 'config' | 'storage'>
type TicketKey = { workspaceID: string; id: string }

export type Upload = {
  sizeBytes: number
  contentMD5: string | undefined
  /** Starts reading. It is called after all other checks. */
  open: () => Readable
}

/** Stores the bytes for a ticket. The first upload claims it. If that upload fails, another one can claim it. */
export async function fillUploadTicket(shared: Shared, key: TicketKey, upload: Upload): Promise<void> {
  const ticket = await claim(shared, key)
  try {
    requireDeclared(ticket, upload)
    const declared = { ...ticket, sizeBytes: Number(ticket.sizeBytes) }
    await fill(shared, ticket, await storeFile(shared, declared, upload.open))
  } catch (error) {
    await release(shared, ticket)
    throw error
  }
}

/** The statement decides which upload is first. The ticket of a deleted user is not valid. */
async function claim(shared: Shared, { workspaceID, id }: TicketKey): Promise<UploadTicket> {
  const [claimed] = await query<UploadTicket>(
    shared.db,
    Prisma.sql`
      UPDATE upload_tickets t SET claimed_at = clock_timestamp()
      FROM users u
      WHERE t.workspace_id = ${workspaceID} AND t.id = ${id} AND t.claimed_at IS NULL AND t.expires_at > now()
        AND u.workspace_id = ${workspaceID} AND u.id = t.uploader_id AND u.deleted_at IS NULL
      RETURNING ${ticketColumns}`,
  )
  if (claimed) return claimed
  const existing = await shared.db.uploadTicket.findUnique({ where: { workspaceID_id: { workspaceID, id } } })
  if (!existing?.claimedAt) throw refusedLink()
  throw conflict('ticket_used', 'This upload ticket has been used or is being used. Request a new one.')
}

function requireDeclared({ sizeBytes, md5 }: UploadTicket, upload: Upload): void {
  if (BigInt(upload.sizeBytes) !== sizeBytes) {
    throw invalidField('Content-Length', `must be ${sizeBytes}, the size given when the ticket was created`)
  }
  if (upload.contentMD5 !== undefined && upload.contentMD5 !== Buffer.from(md5).toString('base64')) {
    throw invalidField('Content-MD5', 'must be the MD5 given when the ticket was created')
  }
}

async function fill({ db }: Shared, { workspaceID, id }: UploadTicket, file: File): Promise<void> {
  const { count } = await db.uploadTicket.updateMany({
    where: { workspaceID, id, fileID: null },
    data: { fileID: file.id },
  })
  if (count === 0) throw refusedLink()
}

async function release({ db }: Shared, { workspaceID, id }: UploadTicket): Promise<void> {
  await db.uploadTicket.updateMany({ where: { workspaceID, id, fileID: null }, data: { claimedAt: null } })
}

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
