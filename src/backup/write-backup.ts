import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { OnlineBackup } from '../database/embedded/online-backup.ts'
import { digestsName, manifestName, newManifest } from './manifest.ts'
import { TarWriter } from './tar-writer.ts'

/** Folders of the database whose content belongs to the running process. The restored database needs the folders. */
const emptied =
  /^(?:pg_wal|pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|\/?pgsql_tmp/
const omitted = /^(?:postmaster\.(?:pid|opts)|backup_label\.old|folder-inode)$|(?:^|\/)pg_internal\.init$/
const keptInLog = 'pg_wal/archive_status'

/** Files beside the database that are not worth keeping: they describe the running process. */
const ofProcess = ['lock', 'address', 'last-backup', 'backup-failure']

export type BackupSource = { dataDir: string; online: OnlineBackup }

/** Starts a backup, and returns its bytes and a promise that resolves when nothing is read any more. */
export function writeBackup(source: BackupSource) {
  const tar = new TarWriter()
  const ended = write(source, tar).then(
    () => tar.end(),
    (error: unknown) => {
      tar.fail(error)
      throw error
    },
  )
  return { bytes: tar.readable, ended, abort: (reason: Error) => tar.fail(reason) }
}

/** Returns the approximate size of a backup, without the log. */
export async function sizeOfBackup({ dataDir, online }: BackupSource): Promise<number> {
  return (await sizeOf(online.directory)) + (await sizeOf(join(dataDir, 'files')))
}

async function write({ dataDir, online }: BackupSource, tar: TarWriter): Promise<void> {
  const { takenAt, ...state } = await online.state()
  const bytes = await sizeOfBackup({ dataDir, online })
  const manifest = newManifest({ ...state, takenAt: takenAt.toISOString(), bytes })
  await tar.text(manifestName, JSON.stringify(manifest, null, 2))
  await online.copy({
    files: () => copyDatabase(online.directory, tar),
    log: async (label, segments) => {
      await tar.text('db/backup_label', label)
      for (const name of segments) await tar.file(`db/pg_wal/${name}`, join(online.directory, 'pg_wal', name))
    },
  })
  await copyStoredFiles(dataDir, tar)
  await copyKeys(dataDir, tar)
  await tar.text(digestsName, JSON.stringify(tar.digests))
}

async function copyDatabase(directory: string, tar: TarWriter): Promise<void> {
  await tar.directory('db')
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(directory, path)
    if (omitted.test(name) || (emptied.test(name) && name !== keptInLog)) continue
    if (entry.isDirectory()) await tar.directory(`db/${name}`)
    else await tar.file(`db/${name}`, path)
  }
}

// Lists the files after the database was copied: the bytes of a file are stored before the database refers to them.
async function copyStoredFiles(dataDir: string, tar: TarWriter): Promise<void> {
  const directory = join(dataDir, 'files')
  await tar.directory('files')
  for (const start of (await namesIn(directory)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    await tar.directory(`files/${start}`)
    for (const rest of await readdir(join(directory, start)))
      await tar.file(`files/${start}/${rest}`, join(directory, start, rest))
  }
}

// Copies every file, so that no key is missing that a later version adds.
async function copyKeys(dataDir: string, tar: TarWriter): Promise<void> {
  for (const entry of await readdir(dataDir, { withFileTypes: true }))
    if (entry.isFile() && !ofProcess.includes(entry.name))
      await tar.file(entry.name, join(dataDir, entry.name))
}

async function namesIn(directory: string): Promise<string[]> {
  return existsSync(directory) ? readdir(directory) : []
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0
  if (!existsSync(directory)) return 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.endsWith('pg_wal')) continue
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
    bytes += found?.size ?? 0
  }
  return bytes
}
