import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test } from 'vitest'
import { applyMigrations } from '../../src/database/migrate.ts'
import { newDataDir, repository, startProcess } from '../support/process.ts'

const earlier = Array.from({ length: 9 }, (_, day) => `skein-2026-01-0${day + 1}T00-00-00.000Z.tar`)

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('with BACKUP_DIR, the service makes a backup if the newest is older than a day, and keeps seven', {}, async () => {
  const folder = await newFolder()
  for (const name of ['incomplete-1', 'other.tar', ...earlier]) {
    await writeFile(join(folder, name), '')
    await utimes(join(folder, name), 1, 1)
  }
  const env = { BACKUP_DIR: folder, SKEIN_STARTER: 'off' }
  const service = await startProcess(env)
  const backups = async () => (await readdir(folder)).filter((name) => name.startsWith('skein-')).sort()
  await expect.poll(service.output).toContain('a backup was stored')
  const [newest = '', ...others] = (await backups()).reverse()
  expect(others.reverse()).toEqual(earlier.slice(-6))
  expect((await readdir(folder)).filter((name) => !name.startsWith('skein-'))).toEqual(['other.tar'])
  expect((await stat(join(folder, newest))).mode & 0o777).toBe(0o600)
  expect(await service.stop()).toBe(0)
  const again = await startProcess({ ...env, DATA_DIR: service.dataDir })
  expect(await again.stop()).toBe(0)
  expect((await backups()).at(-1)).toBe(newest)
})

test('before an embedded database is migrated, the service makes a backup', async () => {
  const folder = await newFolder()
  await cp(join(repository, 'prisma/migrations'), folder, { recursive: true })
  const names = (await readdir(folder)).filter((name) => /^\d/.test(name)).sort()
  const last = names.at(-1) ?? ''
  await rm(join(folder, last), { recursive: true })
  const dataDir = await newDataDir()
  await mkdir(dataDir, { recursive: true })
  const database = await PGlite.create(join(dataDir, 'db'))
  await applyMigrations(database, { folder })
  await database.close()
  const service = await startProcess({ DATA_DIR: dataDir, SKEIN_STARTER: 'off' })
  expect(await service.stop()).toBe(0)
  expect(service.output()).toContain('a backup was stored before the migration')
  const [name = ''] = await readdir(join(dataDir, 'backups'))
  expect((await readFile(join(dataDir, 'backups', name))).includes(`"migration": "${names.at(-2)}"`)).toBe(
    true,
  )
})
