import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { embeddedClient, type OpenedDatabase } from '../../src/platform/database.ts'
import { applyMigrations, type MigrationConnection } from '../../src/platform/migrate.ts'
import { testDatabase, testPGlite } from './database.ts'
import { repository } from './process.ts'

const migrations = join(repository, 'prisma/migrations')

/** A database that was created before a migration, with rows that `fill` writes, and then migrated to the present. */
export async function migratedFrom(
  before: string,
  fill: (connection: MigrationConnection) => Promise<unknown>,
): Promise<Pick<OpenedDatabase, 'db' | 'close'>> {
  if (process.env.TEST_DATABASE_URL === undefined) {
    const pglite = await testPGlite()
    await migrate(pglite, before, fill)
    return { db: await embeddedClient(pglite), close: () => pglite.close() }
  }
  const { url, ...database } = await testDatabase()
  const client = new pg.Client(url)
  await client.connect()
  const connection = {
    query: (sql: string, values?: unknown[]) => client.query(sql, values),
    exec: (script: string) => client.query(script),
  }
  await migrate(connection, before, fill)
  await client.end()
  return database
}

async function migrate(
  connection: MigrationConnection,
  before: string,
  fill: (connection: MigrationConnection) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-old-migrations-'))
  for (const name of await readdir(migrations)) {
    if (name < before) await cp(join(migrations, name), join(folder, name), { recursive: true })
  }
  await connection.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await applyMigrations(connection, { folder })
  await fill(connection)
  await applyMigrations(connection)
  await rm(folder, { recursive: true })
}
