import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'

// `npm run generate` creates this file. The path is the same from src/database/embedded and dist/database/embedded.
const newDatabase = new URL('../../generated/database/new.tar.gz', import.meta.url)

/** Creates a database unless the directory has one. Renames the directory last, so that it is never incomplete. */
export async function createDataDirectory(directory: string): Promise<void> {
  if (existsSync(join(directory, 'PG_VERSION'))) return
  const incomplete = `${directory}.incomplete`
  await rm(incomplete, { recursive: true, force: true })
  await mkdir(incomplete, { mode: 0o700 })
  const unpack = unpackTar(incomplete, { dmode: 0o700, fmode: 0o600 })
  await pipeline(createReadStream(newDatabase), createGunzip(), unpack)
  await rename(incomplete, directory)
}
