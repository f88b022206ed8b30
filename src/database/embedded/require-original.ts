import { existsSync } from 'node:fs'
import { open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// The field `state` of ControlFileData in src/include/catalog/pg_control.h of PostgreSQL.
const stateOffset = 16
const shutDown = 1

/**
 * Throws if the directory seems to be a copy that was made while its database was used: the database was not shut down,
 * and the directory is another one than at the last start. A backup has a label, with which PostgreSQL repairs it.
 */
export async function requireOriginal(directory: string): Promise<void> {
  const known = await readFile(pathIn(directory), 'utf8').catch(() => undefined)
  if (known === undefined || known.trim() === (await inodeOf(directory))) return
  if (existsSync(join(directory, 'backup_label')) || (await wasShutDown(directory))) return
  throw new Error(
    'it is a copy that was made while the service ran, and can lack changes and secrets. Restore a backup ' +
      '(skein admin backup), or stop the service and copy the directory again. If it is not a copy, but was moved to ' +
      'another disk after the service was killed, start the service once with --accept-copy.',
  )
}

export async function recordDirectory(directory: string): Promise<void> {
  await writeFile(pathIn(directory), `${await inodeOf(directory)}\n`, { mode: 0o600 })
}

function pathIn(directory: string): string {
  return join(directory, 'folder-inode')
}

async function inodeOf(directory: string): Promise<string> {
  return String((await stat(directory, { bigint: true })).ino)
}

async function wasShutDown(directory: string): Promise<boolean> {
  const file = await open(join(directory, 'global/pg_control'))
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, stateOffset)
    return buffer.readUInt32LE() === shutDown
  } finally {
    await file.close()
  }
}
