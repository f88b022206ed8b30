import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { databaseFailure } from '../database/database-errors.ts'
import { query } from '../database/query.ts'
import { AppError } from '../errors.ts'
import { type File, Prisma } from '../generated/prisma/client.ts'
import { newID } from '../platform/ids.ts'
import { imageHeadBytes, imageSizeOf } from '../storage/image-size.ts'
import type { Received } from '../storage/storage.ts'
import { contentTypeOf } from '../text/content-type.ts'
import { type FileRow, fileColumns } from './rows.ts'
import { quotaExceeded, requireQuota, withQuota } from './storage-quota.ts'

export type DeclaredFile = {
  workspaceID: string
  uploaderID: string
  name: string
  sizeBytes: number
  md5: Uint8Array
}

type Shared = Pick<Context, 'db' | 'config' | 'storage'>
type NewFile = DeclaredFile & Pick<File, 'sha256' | 'contentType' | 'width' | 'height'>

/** An upload must store its bytes and insert its file within this time. After it, the sweeper can remove the bytes. */
const reservedHours = 24

/** Stores a file. Checks the quota before reading. If it cannot insert the file, the sweeper removes the bytes. */
export async function storeFile(shared: Shared, declared: DeclaredFile, open: () => Readable): Promise<File> {
  return withQuota(shared, declared, async () => {
    const received = await shared.storage.receive(open())
    try {
      requireDeclared(received, declared)
      const described = await describe(received)
      await reserve(shared.db, received.sha256)
      await received.store()
      return await insertFile(shared, { ...declared, ...described })
    } finally {
      await received.discard()
    }
  })
}

function requireDeclared({ sizeBytes, md5 }: Received, declared: DeclaredFile): void {
  if (sizeBytes === declared.sizeBytes && md5.equals(declared.md5)) return
  throw new AppError(
    'bad_digest',
    'The received bytes do not match the declared size and MD5. Send them again.',
  )
}

/** Determines the content type and the image size only from the bytes. */
async function describe({ sha256, readStart }: Received) {
  const head = await readStart(imageHeadBytes)
  const contentType = contentTypeOf(head)
  const { width = null, height = null } = imageSizeOf(contentType, head) ?? {}
  return { sha256, contentType, width, height }
}

/** Protects bytes from the sweeper before they are stored. Waits if the sweeper is removing these bytes now. */
async function reserve(db: Database, sha256: Uint8Array): Promise<void> {
  await query(
    db,
    Prisma.sql`
      INSERT INTO contents AS c (sha256, sweep_at) VALUES (${sha256}, now() + make_interval(hours => ${reservedHours}::integer))
      ON CONFLICT (sha256) DO UPDATE SET sweep_at = greatest(c.sweep_at, excluded.sweep_at)`,
  )
}

async function insertFile({ db, config }: Shared, file: NewFile): Promise<FileRow> {
  const max = config.maxWorkspaceBytes || null
  const [stored] = await query<FileRow>(
    db,
    Prisma.sql`
      WITH counted AS (
        UPDATE workspace_storage SET used_bytes = used_bytes + ${file.sizeBytes}::bigint
        WHERE workspace_id = ${file.workspaceID}
          AND (${max}::bigint IS NULL OR used_bytes + ${file.sizeBytes}::bigint <= ${max}::bigint)
        RETURNING workspace_id
      )
      INSERT INTO files AS f
        (workspace_id, id, uploader_id, name, size_bytes, md5, sha256, content_type, width, height, sweep_at)
      SELECT ${file.workspaceID}, ${newID('fil')}, ${file.uploaderID}, ${file.name}, ${file.sizeBytes}, ${file.md5},
        ${file.sha256}, ${file.contentType}, ${file.width}, ${file.height},
        now() + make_interval(secs => ${config.unattachedFileTTLSeconds}::integer)
      WHERE ${max}::bigint IS NULL OR EXISTS (SELECT FROM counted)
      RETURNING ${fileColumns}`,
  )
  if (!stored) throw quotaExceeded(config.maxWorkspaceBytes)
  return stored
}

/** Creates another file with the bytes of the original, or returns undefined if they have just been swept. */
export async function copyFile(
  shared: Shared,
  original: File,
  { uploaderID, name }: Pick<DeclaredFile, 'uploaderID' | 'name'>,
): Promise<FileRow | undefined> {
  const file = { ...original, sizeBytes: Number(original.sizeBytes), uploaderID, name }
  await requireQuota(shared, file)
  try {
    return await insertFile(shared, file)
  } catch (error) {
    if (databaseFailure(error) === 'missing') return undefined
    throw error
  }
}
