import { join } from 'node:path'
import type { Logger } from 'pino'
import { BackupDirectory } from '../backup/backup-directory.ts'
import { serveBackups } from '../backup/backup-socket.ts'
import { Backups } from '../backup/backups.ts'
import { recordBackupFailure } from '../backup/last-backup.ts'
import { sizeOfBackup } from '../backup/write-backup.ts'
import type { Settings } from '../config.ts'
import type { OnlineBackup } from '../database/embedded/online-backup.ts'

const checkEveryMs = 10 * 60 * 1000

type Options = { settings: Pick<Settings, 'dataDir' | 'backupDir'>; online: OnlineBackup; log: Logger }

/** Makes a backup each day in BACKUP_DIR, and lets `skein admin backup` make one at any time. */
export async function startBackups({ settings: { dataDir, backupDir }, online, log }: Options) {
  const backups = new Backups({ dataDir, online })
  const onError = (err: unknown) => log.warn({ err }, 'a backup failed')
  const onStored = (path?: string) => log.info({ path }, 'a backup was stored')
  const stopServing = await serveBackups({ dataDir, backups, onStored, onError }).catch((err: unknown) => {
    // Some file systems have no sockets.
    log.warn({ err }, 'skein admin backup cannot be used, because DATA_DIR cannot have a socket')
  })
  const note = (reason: string | undefined) =>
    recordBackupFailure(dataDir, reason).catch((err: unknown) =>
      log.warn({ err }, 'DATA_DIR cannot be written'),
    )
  const onDone = () => note(undefined)
  if (backupDir === undefined) await onDone()
  const onDailyError = (err: unknown) => {
    onError(err)
    return note(reasonOf(err))
  }
  const stopDaily =
    backupDir === undefined
      ? undefined
      : startDaily(backups, backupDir, { onStored, onDone, onError: onDailyError })
  const stop = async () => {
    stopDaily?.()
    await stopServing?.()
    await backups.close()
  }
  return { deleteFiles: backups.deleteFiles.bind(backups), stop }
}

// The path is left out, because anybody can read the warnings of the service.
function reasonOf(error: unknown): string {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) }
  return code === undefined ? message : message.replace(/,.*/s, '')
}

type Listeners = {
  onStored: (path: string) => void
  onDone: () => Promise<void>
  onError: (error: unknown) => Promise<void>
}

function startDaily(backups: Backups, path: string, { onStored, onDone, onError }: Listeners): () => void {
  const directory = new BackupDirectory(path)
  let isRunning = false
  let isStopped = false
  const makeIfDue = async () => {
    if (isRunning || isStopped) return
    isRunning = true
    try {
      if (await directory.isDue())
        await backups.write(async (bytes) => onStored(await directory.store(bytes)))
      await onDone()
    } catch (error) {
      if (!isStopped) await onError(error)
    } finally {
      isRunning = false
    }
  }
  void makeIfDue()
  const timer = setInterval(makeIfDue, checkEveryMs).unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/** Makes a backup before the database is migrated, because an older version cannot use a migrated database. */
export async function backUpBeforeMigration({ settings, online, log }: Options): Promise<void> {
  const { dataDir, backupDir = join(dataDir, 'backups') } = settings
  const directory = new BackupDirectory(backupDir)
  const source = { dataDir, online }
  try {
    if (!(await directory.hasRoomFor(2 * (await sizeOfBackup(source))))) {
      log.warn(
        { path: backupDir },
        'no backup is made before the migration, because the disk has no room for it',
      )
      return
    }
    const backups = new Backups(source)
    await backups.write(async (bytes) => {
      log.info({ path: await directory.store(bytes) }, 'a backup was stored before the migration')
    })
  } catch (err) {
    log.warn({ err }, 'the backup before the migration failed')
  }
}
