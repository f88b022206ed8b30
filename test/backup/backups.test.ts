import { EventEmitter, once } from 'node:events'
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { BackupDirectory } from '../../src/backup/backup-directory.ts'
import { Backups } from '../../src/backup/backups.ts'
import { backupAgeSeconds } from '../../src/backup/last-backup.ts'
import { readBackup } from '../../src/backup/read-backup.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/database/database.ts'
import type { OnlineBackup } from '../../src/database/embedded/online-backup.ts'
import { warningsOf } from '../../src/http/warnings.ts'
import { checkBackup } from '../../src/start/doctor/check-parts.ts'
import { openStorage } from '../../src/start/open-storage.ts'
import { startBackups } from '../../src/start/start-backups.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'skein-test-'))
const storage = await openStorage({ dataDir, s3: undefined })
const { db, backup, close } = await openDatabase({ dataDir, poolSize: 1 })
const backups = new Backups({ dataDir, online: backup as OnlineBackup })
afterAll(async () => {
  await backups.close()
  await close()
  await rm(dataDir, { recursive: true })
})

const readAll = async (bytes: AsyncIterable<Uint8Array>) => void (await readBackup(bytes))

// The disk of the machine that runs the tests can be almost full.
const warnings = async () => {
  const found = await warningsOf({ config: { dataDir, databaseURL: undefined }, storage })()
  return found.filter(({ code }) => code !== 'disk')
}

test('ready warns if the last backup is two days old, or if there is none in the first two days of a database', async () => {
  expect(await warnings()).toEqual([])
  await backups.write(readAll)
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
  await utimes(join(dataDir, 'last-backup'), twoDaysAgo, twoDaysAgo)
  const detail = 'The last backup is 2 days old. Set BACKUP_DIR, or run "skein admin backup".'
  expect(await warnings()).toEqual([{ code: 'backup', detail }])
  await rm(join(dataDir, 'last-backup'))
  vi.setSystemTime(Date.now() + 2 * 24 * 60 * 60 * 1000)
  onTestFinished(() => void vi.useRealTimers())
  const none = 'There is no backup. Set BACKUP_DIR, or run "skein admin backup".'
  expect(await warnings()).toEqual([{ code: 'backup', detail: none }])
})

test('ready warns if files cannot be stored', async () => {
  const incoming = join(dataDir, 'files/incoming')
  await rename(incoming, `${incoming}-away`)
  expect(await warnings()).toEqual([{ code: 'storage', detail: 'Files cannot be stored.' }])
  await rename(`${incoming}-away`, incoming)
  expect(await warnings()).toEqual([])
})

test('the age of the last backup is unknown before the first one', async () => {
  expect(await backupAgeSeconds(dataDir)).toBeUndefined()
  await backups.write(readAll)
  expect(await backupAgeSeconds(dataDir)).toBeLessThan(60)
})

test('a last backup in the future has no age, because the clock was wrong', async () => {
  await backups.write(readAll)
  await utimes(join(dataDir, 'last-backup'), 2_000_000_000, 2_000_000_000)
  expect(await backupAgeSeconds(dataDir)).toBeUndefined()
})

test('ready and doctor say why the daily backup fails, until it works', async () => {
  const backupDir = join(dataDir, 'target')
  await writeFile(backupDir, '')
  const online = backup as OnlineBackup
  const settings = readConfig({ DATA_DIR: dataDir, BACKUP_DIR: backupDir })
  const start = () => startBackups({ settings, online, log: pino({ level: 'silent' }) })
  const detail = 'The daily backup failed: ENOTDIR: not a directory. Check BACKUP_DIR.'
  const first = await start()
  await expect.poll(warnings).toEqual([{ code: 'backup', detail }])
  await first.stop()
  expect(await checkBackup(settings)).toEqual({
    state: 'failure',
    finding: 'The daily backup failed: ENOTDIR: not a directory.',
    advice: `Check the directory of BACKUP_DIR (${backupDir}), its owner and its disk.`,
  })
  await rm(backupDir)
  const second = await start()
  await expect.poll(warnings).toEqual([])
  await second.stop()
  expect(await checkBackup(settings)).toMatchObject({ state: 'ok' })
})

test('a backup is due if there is one of the future only, which is then the first to go', async () => {
  const path = join(dataDir, 'future')
  const directory = new BackupDirectory(path)
  const write = () => backups.write(async (bytes) => void (await directory.store(bytes)))
  await write()
  expect(await directory.isDue()).toBe(false)
  const [real = ''] = await readdir(path)
  const future = Array.from({ length: 7 }, (_, day) => `skein-2093-01-0${day + 1}T00-00-00.000Z.tar`)
  for (const name of future) await writeFile(join(path, name), '')
  await rm(join(path, real))
  expect(await directory.isDue()).toBe(true)
  await write()
  expect(await directory.isDue()).toBe(false)
  expect((await readdir(path)).filter((name) => future.includes(name)).sort()).toEqual(future.slice(1))
})

test('stored files are not deleted during a backup, and a backup waits for a deletion in progress', async () => {
  const events: string[] = []
  await backups.write(async (bytes) => {
    await backups.deleteFiles(async () => events.push('deleted during the backup'))
    await readAll(bytes)
  })
  const finishing = new EventEmitter()
  const deletion = backups.deleteFiles(async () => {
    await once(finishing, 'finish')
    return events.push('deleted')
  })
  const written = backups.write(readAll).then(() => events.push('backup'))
  await db.$queryRaw`SELECT 1`
  finishing.emit('finish')
  await Promise.all([deletion, written])
  expect(events).toEqual(['deleted', 'backup'])
})

test('a reader that stops early ends the backup, and the next backup works', async () => {
  await expect(
    backups.write(async (bytes) => {
      for await (const _chunk of bytes) throw new Error('the pipe is closed')
    }),
  ).rejects.toThrow('the pipe is closed')
  await backups.write(readAll)
})

test('a backup contains the database, and then its label and its log', async () => {
  const names: string[] = []
  await backups.write(
    async (bytes) => void (await readBackup(bytes, { file: async (name) => void names.push(name) })),
  )
  const last = (name: string) => names.findLastIndex((each) => each.startsWith(name))
  const label = names.indexOf('db/backup_label')
  expect(label).toBeGreaterThan(last('db/base/'))
  expect(last('db/pg_wal/')).toBeGreaterThan(label)
  expect(await readdir(join(dataDir, 'db'))).not.toContain('backup_label')
})
