import { z } from 'zod'
import { cachedPerLimits } from '../config.ts'
import { type Context, holdsScope, requireScope, type UserActor } from '../context.ts'
import { query } from '../database/query.ts'
import { fileFields, readDigest, requireSize } from '../files/fields.ts'
import { type FileRow, fileColumns } from '../files/rows.ts'
import { requireQuota } from '../files/storage-quota.ts'
import { copyFile } from '../files/store-file.ts'
import { createUploadTicket } from '../files/tickets/upload-ticket.ts'
import { Prisma, type UploadTicket } from '../generated/prisma/client.ts'
import { parseInput, text } from '../input.ts'

const side = z.number().int().min(0, 'must not be negative').nullish()

const inputFor = cachedPerLimits((limits) =>
  z.object({
    ...fileFields(limits),
    contentLength: z
      .string()
      .regex(/^\d{1,15}$/, 'must be the size in bytes, as a string of digits')
      .transform(Number),
    // The next two fields are checked but not used, because the service determines their values from the bytes.
    contentType: text(255),
    metadata: z.object({ width: side, height: side }).nullish(),
  }),
)

/** To find a file that the caller can see, a look-up reads at most this many files with the same digest. */
const maxCandidates = 100

/** Returns a file if the caller has uploaded these bytes or can see them in a message, otherwise an upload ticket. */
export async function uploadTicket(
  ctx: Context,
  input: z.input<ReturnType<typeof inputFor>>,
): Promise<(FileRow & { __typename: 'File' }) | (UploadTicket & { __typename: 'UploadTicket' })> {
  requireScope(ctx, 'threads.messages:write')
  const { name, contentLength: sizeBytes, contentMD5 } = parseInput(inputFor(ctx.config.limits), input)
  requireSize(sizeBytes, ctx.config.limits)
  const declared = { name, sizeBytes, md5: readDigest(contentMD5) }
  const known = await findKnown(ctx, declared)
  const file = known && (await copyFile(ctx, known, { uploaderID: ctx.actor.userID, name }))
  if (file) return { ...file, __typename: 'File' }
  await requireQuota(ctx, { workspaceID: ctx.actor.workspaceID, sizeBytes })
  return { ...(await createUploadTicket(ctx, declared)), __typename: 'UploadTicket' }
}

// A digest is not a secret. Therefore a file that the caller cannot see is treated like a file that does not exist.
// Different bytes with the same digest can be created. If the files differ, it is unknown which one the caller means.
async function findKnown(
  { db, actor }: Context<UserActor>,
  { sizeBytes, md5 }: { sizeBytes: number; md5: Uint8Array },
): Promise<FileRow | undefined> {
  const { workspaceID, userID } = actor
  const mayRead = holdsScope(actor, 'threads.messages:read')
  const seen = mayRead
    ? Prisma.sql`EXISTS (
        SELECT FROM visible_files
        WHERE viewer_id = ${userID} AND workspace_id = f.workspace_id AND id = f.id OFFSET 0)`
    : Prisma.sql`f.uploader_id = ${userID}`
  const candidates = await query<FileRow>(
    db,
    Prisma.sql`
      SELECT ${fileColumns} FROM (
        (SELECT * FROM files WHERE workspace_id = ${workspaceID} AND md5 = ${md5} AND uploader_id = ${userID} LIMIT 1)
        UNION ALL
        (SELECT * FROM files WHERE workspace_id = ${workspaceID} AND md5 = ${md5} LIMIT ${maxCandidates}::integer)
      ) AS f
      WHERE f.size_bytes = ${sizeBytes} AND ${seen}`,
  )
  const contents = new Set(candidates.map(({ sha256 }) => Buffer.from(sha256).toString('hex')))
  return contents.size === 1 ? candidates[0] : undefined
}
