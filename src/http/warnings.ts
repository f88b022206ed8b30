import { statfs } from 'node:fs/promises'
import { ageOfDatabase, backupAgeSeconds, backupFailure } from '../backup/last-backup.ts'
import type { Config } from '../config.ts'
import type { Storage } from '../storage/storage.ts'

/** A problem that does not stop requests yet, but that the operator must know. */
export type Warning = { code: 'storage' | 'disk' | 'backup'; detail: string }

type Parts = { config: Pick<Config, 'dataDir' | 'databaseURL'>; storage: Storage }

const timeoutMs = 2000
/** Anybody can ask. Therefore the answers are kept for some seconds. */
const keptMs = 5000
const gibibyte = 1024 ** 3
const daySeconds = 24 * 60 * 60
const maxBackupDays = 2

/** Returns a function that checks what can be wrong although the service is ready. */
export function warningsOf(parts: Parts): () => Promise<Warning[]> {
  let kept: { at: number; warnings: Promise<Warning[]> } | undefined
  return () => {
    if (!kept || performance.now() - kept.at > keptMs)
      kept = { at: performance.now(), warnings: check(parts) }
    return kept.warnings
  }
}

async function check({ config, storage }: Parts): Promise<Warning[]> {
  const found = await Promise.all([
    warningOfStorage(storage),
    warningOfDisk(config.dataDir).catch(() => undefined),
    config.databaseURL === undefined ? warningOfBackup(config.dataDir).catch(() => undefined) : undefined,
  ])
  return found.filter((warning) => warning !== undefined)
}

async function warningOfStorage(storage: Storage): Promise<Warning | undefined> {
  const warning: Warning = { code: 'storage', detail: 'Files cannot be stored.' }
  const timeout = new Promise<Warning>((resolve) => setTimeout(resolve, timeoutMs, warning).unref())
  const answer = storage.check().then(
    () => undefined,
    () => warning,
  )
  return Promise.race([answer, timeout])
}

async function warningOfDisk(dataDir: string): Promise<Warning | undefined> {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  if (free > 5 * gibibyte || bavail > blocks / 10) return undefined
  return { code: 'disk', detail: `The disk of DATA_DIR has only ${(free / gibibyte).toFixed(1)} GiB left.` }
}

async function warningOfBackup(dataDir: string): Promise<Warning | undefined> {
  const reason = await backupFailure(dataDir)
  if (reason !== undefined)
    return { code: 'backup', detail: `The daily backup failed: ${reason}. Check BACKUP_DIR.` }
  const age = await backupAgeSeconds(dataDir)
  const seconds = age ?? (await ageOfDatabase(dataDir))
  const days = Math.floor(seconds / daySeconds)
  if (days < maxBackupDays) return undefined
  const last = age === undefined ? 'There is no backup.' : `The last backup is ${days} days old.`
  return { code: 'backup', detail: `${last} Set BACKUP_DIR, or run "skein admin backup".` }
}
