import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'last-backup'
const failureName = 'backup-failure'
/** How far the clock of a file system can be ahead of that of this machine. */
const toleratedSeconds = 60

/** Records that a backup has been stored. The time is that of the file. */
export async function recordBackup(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, fileName), '', { mode: 0o600 })
}

/** Records why the daily backup failed, or that it did not fail. `doctor`, which is another process, reads it. */
export async function recordBackupFailure(dataDir: string, reason: string | undefined): Promise<void> {
  const path = join(dataDir, failureName)
  if (reason === undefined) await rm(path, { force: true })
  else await writeFile(path, reason, { mode: 0o600 })
}

/** Returns why the last daily backup failed, or undefined if it did not fail. */
export async function backupFailure(dataDir: string): Promise<string | undefined> {
  return readFile(join(dataDir, failureName), 'utf8').catch(() => undefined)
}

/**
 * Returns the age in seconds of the last backup that this service wrote, or undefined if there is none, or if its time
 * is in the future because the clock was wrong.
 */
export async function backupAgeSeconds(dataDir: string): Promise<number | undefined> {
  const file = await stat(join(dataDir, fileName)).catch(() => undefined)
  const seconds = file && secondsSince(file.mtimeMs)
  return seconds === undefined || seconds < -toleratedSeconds ? undefined : Math.max(0, seconds)
}

/** Returns the age in seconds of the embedded database. */
export async function ageOfDatabase(dataDir: string): Promise<number> {
  return secondsSince((await stat(join(dataDir, 'db/PG_VERSION'))).birthtimeMs)
}

function secondsSince(timeMs: number): number {
  return (Date.now() - timeMs) / 1000
}
