import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { type BackupSummary, readBackup } from './read-backup.ts'

// `npm run generate` creates this file. The path is the same from src/backup and dist/backup.
const newDatabase = new URL('../generated/database/new.tar.gz', import.meta.url)

/** Restores a backup into a directory that is empty or does not exist. A failure leaves the directory as it was. */
export async function restoreBackup(
  bytes: AsyncIterable<Uint8Array>,
  dataDir: string,
): Promise<BackupSummary> {
  const target = resolve(dataDir)
  await requireEmpty(target)
  const incomplete = `${target}.${randomUUID()}`
  await mkdir(incomplete, { recursive: true, mode: 0o700 })
  try {
    const summary = await readBackup(bytes, {
      manifest: async ({ postgresql }) => requireSameMajor(postgresql, await ownMajor()),
      directory: async (name) => void (await mkdir(join(incomplete, name), { recursive: true, mode: 0o700 })),
      file: (name, content) =>
        pipeline(
          content,
          createWriteStream(join(incomplete, name), { mode: 0o600, flags: 'wx', flush: true }),
        ),
    })
    await rename(incomplete, target)
    await syncDirectory(dirname(target))
    return summary
  } catch (error) {
    await rm(incomplete, { recursive: true, force: true })
    throw error
  }
}

async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR' ? new Error(`${directory} is not a directory.`) : error
  })
  if (names.length > 0)
    throw new Error(`The directory ${directory} is not empty. Restore into a new directory.`)
}

function requireSameMajor(version: string, own: string): void {
  const [major] = version.split('.')
  if (major === own) return
  throw new Error(
    `The backup has a database of PostgreSQL ${major}, but this version of Skein has PostgreSQL ${own}. ` +
      'Restore it with the version of Skein that wrote it.',
  )
}

/** Returns the major version of the embedded database. */
async function ownMajor(): Promise<string> {
  const packed = Readable.toWeb(createReadStream(newDatabase).pipe(createGunzip()))
  for await (const { header, body } of packed.pipeThrough(createTarDecoder())) {
    if (header.name === 'PG_VERSION') return (await new Response(body).text()).trim()
    await body.cancel()
  }
  throw new Error('The service was not built. Run npm run build.')
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
