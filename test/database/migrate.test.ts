import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startEmbedded } from '../../src/database/embedded/embedded-database.ts'
import { applyMigrations, type MigrationConnection } from '../../src/database/migrate.ts'
import { testDatabase } from '../support/database.ts'

const onServer = process.env.TEST_DATABASE_URL !== undefined
const productMigrations = new URL('../../prisma/migrations', import.meta.url)
const closing: (() => Promise<unknown>)[] = []
const connection = onServer ? await serverConnection() : await embeddedConnection()
const folder = await mkdtemp(join(tmpdir(), 'skein-migrations-'))

beforeEach(async () => {
  await connection.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await rm(folder, { recursive: true })
  await migration('1_one', 'CREATE TABLE one (id int); INSERT INTO one VALUES (1);')
  await migration('2_two', 'CREATE TABLE two (id int);')
})

afterAll(async () => {
  for (const close of closing.reverse()) await close()
  await rm(folder, { recursive: true })
})

async function embeddedConnection(): Promise<MigrationConnection> {
  const migrated = inject('migratedDatabase')
  if (!('dumpFile' in migrated)) throw new Error('There is no embedded database')
  const { connection, close } = await startEmbedded(migrated)
  closing.push(close)
  return connectTo(connection)
}

async function serverConnection(): Promise<MigrationConnection> {
  const { url, close } = await testDatabase()
  closing.push(close)
  return connectTo(url)
}

async function connectTo(url: string | pg.ClientConfig | undefined): Promise<MigrationConnection> {
  const client = new pg.Client(url)
  await client.connect()
  closing.push(() => client.end())
  return { query: (sql, values) => client.query(sql, values), exec: (script) => client.query(script) }
}

async function migration(name: string, script: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'migration.sql'), script)
}

async function rowsOf(sql: string): Promise<unknown[]> {
  return (await connection.query(sql)).rows
}

test('migrations are applied once, in order', async () => {
  expect(await applyMigrations(connection, { folder })).toEqual(['1_one', '2_two'])
  expect(await applyMigrations(connection, { folder })).toEqual([])
  await migration('3_three', 'ALTER TABLE two ADD COLUMN name text;')
  expect(await applyMigrations(connection, { folder })).toEqual(['3_three'])
  expect(await rowsOf('SELECT id FROM one')).toEqual([{ id: 1 }])
})

test('the product’s own migrations are the default', async () => {
  const entries = await readdir(productMigrations, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  expect(await applyMigrations(connection)).toEqual(names.sort())
})

test('a database that was made before the first migration is refused, and nothing is applied', async () => {
  await migration('0_former', 'CREATE TABLE former (id int);')
  await applyMigrations(connection, { folder })
  await rm(join(folder, '0_former'), { recursive: true })
  await migration('3_three', 'CREATE TABLE three (id int);')
  await expect(applyMigrations(connection, { folder })).rejects.toThrow(
    'was made by a version from before the first release',
  )
  expect(await rowsOf("SELECT to_regclass('three') AS name")).toEqual([{ name: null }])
})

test.runIf(onServer)('a start that waits for the migration of another process says so', async () => {
  const [{ name } = { name: '' }] = (await rowsOf('SELECT current_database() AS name')) as { name: string }[]
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  url.pathname = `/${name}`
  const other = await connectTo(url.href)
  const lock = 72_707_369
  await other.query('SELECT pg_advisory_lock($1)', [lock])
  const lines: string[] = []
  const applying = applyMigrations(connection, { folder, onProgress: (text) => lines.push(text) })
  await expect.poll(() => lines).toEqual(['waiting for another process that migrates the database'])
  await other.query('SELECT pg_advisory_unlock($1)', [lock])
  expect(await applying).toEqual(['1_one', '2_two'])
})

test('each migration is recorded as Prisma records it', async () => {
  const script = 'SELECT 1; -- é\r\n'
  await migration('3_three', script)
  await applyMigrations(connection, { folder })
  const rows = await rowsOf(
    `SELECT length(id) AS id_length, checksum, migration_name, logs, rolled_back_at, applied_steps_count,
       started_at <= finished_at AS finished_later
     FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1`,
  )
  expect(rows).toEqual([
    {
      id_length: 36,
      checksum: createHash('sha256').update(script).digest('hex'),
      migration_name: '3_three',
      logs: null,
      rolled_back_at: null,
      applied_steps_count: 1,
      finished_later: true,
    },
  ])
})

test('a migration that fails is rolled back, and runs after it is fixed', async () => {
  await migration('3_three', 'CREATE TABLE three (id int); SELECT 1 / 0;')
  await expect(applyMigrations(connection, { folder })).rejects.toThrow(
    'The migration 3_three failed and was rolled back: division by zero',
  )
  expect(await rowsOf(`SELECT to_regclass('two')::text AS two, to_regclass('three')::text AS three`)).toEqual(
    [{ two: 'two', three: null }],
  )
  await migration('3_three', 'CREATE TABLE three (id int);')
  expect(await applyMigrations(connection, { folder })).toEqual(['3_three'])
})

describe('nothing is applied when', () => {
  beforeEach(async () => {
    await applyMigrations(connection, { folder })
    await migration('3_three', 'CREATE TABLE three (id int);')
  })

  async function expectStop(message: string): Promise<void> {
    await expect(applyMigrations(connection, { folder })).rejects.toThrow(message)
    expect(await rowsOf(`SELECT to_regclass('three')::text AS three`)).toEqual([{ three: null }])
  }

  test('an applied file was edited', async () => {
    await migration('1_one', 'CREATE TABLE one (id bigint);')
    await expectStop('The file of the migration 1_one was changed after the migration was applied')
  })

  test('the database has a migration that the program does not know', async () => {
    await rm(join(folder, '2_two'), { recursive: true })
    await expectStop('The database has the migration 2_two, which this version does not know')
  })

  test('a migration sorts before a migration that is already applied', async () => {
    await migration('1_other', 'CREATE TABLE other (id int);')
    await expectStop(
      'The migration 1_other is not applied to this database, but the migration 2_two, which sorts after it, is',
    )
    expect(await rowsOf(`SELECT to_regclass('other')::text AS other`)).toEqual([{ other: null }])
  })

  test('a migration is half-applied', async () => {
    await connection.exec(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_two'`)
    await expectStop('The migration 2_two was started on this database but not finished')
  })
})

test('a migration that was rolled back is applied again', async () => {
  await applyMigrations(connection, { folder })
  await connection.exec(
    `DROP TABLE two;
     UPDATE _prisma_migrations SET finished_at = NULL, rolled_back_at = now() WHERE migration_name = '2_two'`,
  )
  expect(await applyMigrations(connection, { folder })).toEqual(['2_two'])
})

test.runIf(onServer)('only one of several processes migrates an empty database', async () => {
  const { url, close } = await testDatabase()
  closing.push(close)
  const connections = await Promise.all(Array.from({ length: 5 }, () => connectTo(url)))
  await connections[0]?.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const applied = await Promise.all(connections.map((each) => applyMigrations(each, { folder })))
  expect(applied.filter((names) => names.length > 0)).toEqual([['1_one', '2_two']])
})

test.runIf(onServer)('a migration waits for a lock without delaying the statements of others', async () => {
  const { url, close } = await testDatabase()
  closing.push(close)
  const [own, reader, other] = await Promise.all([connectTo(url), connectTo(url), connectTo(url)])
  await own.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE busy (id int)')
  await migration('1_one', 'ALTER TABLE busy ADD COLUMN added int;')
  await reader.exec('BEGIN; SELECT * FROM busy')
  const progress: string[] = []
  const applied = applyMigrations(own, { folder, onProgress: (text) => progress.push(text) })
  await expect.poll(() => progress.length, { timeout: 30_000 }).toBeGreaterThan(2)
  await other.query('SELECT * FROM busy')
  await reader.exec('COMMIT')
  expect(await applied).toEqual(['1_one', '2_two'])
  expect(progress).toEqual([
    'applying the migration 1_one (1 of 2)',
    ...progress.slice(1, -1).map(() => 'the migration 1_one waits for a lock that another session has'),
    'applying the migration 2_two (2 of 2)',
  ])
})

test('a migration outside of a transaction can build an index while others write, and is repeated if it failed', async () => {
  const index = 'CREATE UNIQUE INDEX CONCURRENTLY one_id ON one (id);'
  await migration(
    '2_two',
    `-- outside of a transaction\nDROP INDEX CONCURRENTLY IF EXISTS one_id;\n${index}\n`,
  )
  await migration('1_one', 'CREATE TABLE one (id int); INSERT INTO one VALUES (1), (1);')
  await expect(applyMigrations(connection, { folder })).rejects.toThrow(
    'The migration 2_two failed. The next start repeats it: could not create unique index "one_id"',
  )
  await connection.exec('DELETE FROM one')
  expect(await applyMigrations(connection, { folder })).toEqual(['2_two'])
  expect(await rowsOf(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'one_id'::regclass`)).toEqual([
    { indisvalid: true },
  ])
})

test.runIf(onServer)('a migrated database can be used by a role that cannot create tables', async () => {
  await applyMigrations(connection, { folder })
  const role = `skein_test_${randomBytes(6).toString('hex')}`
  await connection.exec(
    `CREATE ROLE ${role}; GRANT USAGE ON SCHEMA public TO ${role}; GRANT SELECT ON _prisma_migrations TO ${role}`,
  )
  await connection.exec(`SET ROLE ${role}`)
  try {
    expect(await applyMigrations(connection, { folder })).toEqual([])
  } finally {
    await connection.exec(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`)
  }
})
