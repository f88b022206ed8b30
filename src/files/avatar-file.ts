import type { z } from 'zod'
import { type Context, requireScope } from '../context.ts'
import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { invalidInput } from '../errors.ts'
import { type File, Prisma } from '../generated/prisma/client.ts'
import { id } from '../input.ts'
import { newID } from '../platform/ids.ts'

const maxBytes = 256 * 1024
const maxSide = 256
const contentTypes = ['image/jpeg', 'image/png', 'image/webp']

/** Left out: no change. Null: removes the picture. */
export const avatarFileID = id.nullish()

export type AvatarChange = z.output<typeof avatarFileID>

/**
 * Throws unless the caller has uploaded the file and it can be a picture. Call it in the transaction that makes the file
 * a picture: the lock keeps the file until then.
 */
export async function requireAvatarFile(ctx: Context, fileID: AvatarChange): Promise<void> {
  if (fileID == null) return
  requireScope(ctx, 'threads.messages:write')
  const { workspaceID, userID } = ctx.actor
  const [file] = await query<Pick<File, 'contentType' | 'sizeBytes' | 'width' | 'height'>>(
    ctx.db,
    Prisma.sql`
    SELECT content_type AS "contentType", size_bytes AS "sizeBytes", width, height FROM files
    WHERE workspace_id = ${workspaceID} AND id = ${fileID} AND uploader_id = ${userID} FOR KEY SHARE`,
  )
  const problems = file ? problemsOf(file) : ['is not the ID of a file that you uploaded']
  if (problems.length > 0) throw invalidInput(problems.map((message) => ({ field: 'avatarFileID', message })))
}

function problemsOf({
  contentType,
  sizeBytes,
  width,
  height,
}: Pick<File, 'contentType' | 'sizeBytes' | 'width' | 'height'>): string[] {
  if (!contentTypes.includes(contentType))
    return [`must be a PNG, JPEG or WebP image, but the file is ${contentType}`]
  const isSquare = width !== null && width === height && width <= maxSide
  return [
    ...(sizeBytes > maxBytes ? [`must have at most ${maxBytes} bytes, but the file has ${sizeBytes}`] : []),
    ...(isSquare
      ? []
      : [
          `must be square with at most ${maxSide} x ${maxSide} pixels, but the image is ${width ?? '?'} x ${height ?? '?'}`,
        ]),
  ]
}

type FileKey = { workspaceID: string; fileID: string }

/** Copies a picture to a user of another workspace, and returns the ID of the copy. Does not check the quota. */
export async function copyAvatarFile(
  tx: Database,
  { workspaceID, fileID }: FileKey,
  to: { workspaceID: string; userID: string },
): Promise<string | null> {
  const [copy] = await query<{ id: string }>(
    tx,
    Prisma.sql`
    WITH copied AS (
      INSERT INTO files (workspace_id, id, uploader_id, name, size_bytes, md5, sha256, content_type, width, height)
      SELECT ${to.workspaceID}, ${newID('fil')}, ${to.userID}, name, size_bytes, md5, sha256, content_type, width, height
      FROM files WHERE workspace_id = ${workspaceID} AND id = ${fileID}
      RETURNING id, size_bytes
    ), counted AS (
      UPDATE workspace_storage SET used_bytes = used_bytes + (SELECT size_bytes FROM copied)
      WHERE workspace_id = ${to.workspaceID} AND EXISTS (SELECT FROM copied)
    )
    SELECT id FROM copied`,
  )
  return copy?.id ?? null
}
