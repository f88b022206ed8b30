import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type OpenedDatabase, openEmbeddedClient } from '../../src/database/database.ts'
import { startEmbedded } from '../../src/database/embedded/embedded-database.ts'
import { applyMigrations, type MigrationConnection } from '../../src/database/migrate.ts'
import { testDatabase } from './database.ts'
import { repository } from './process.ts'

const migrations = join(repository, 'prisma/migrations')

/** Returns a migrated database, whose rows `fill` writes before the migration `before` runs. */
export async function migratedFrom(
  before: string,
  fill: (connection: MigrationConnection) => Promise<unknown>,
): Promise<Pick<OpenedDatabase, 'db' | 'close'>> {
  const migrated = inject('migratedDatabase')
  if ('dumpFile' in migrated) {
    const embedded = await startEmbedded(migrated)
    await migrate(embedded.connection, before, fill)
    return openEmbeddedClient(embedded)
  }
  const { url, ...database } = await testDatabase()
  await migrate(url, before, fill)
  return database
}

async function migrate(
  config: string | pg.ClientConfig | undefined,
  before: string,
  fill: (connection: MigrationConnection) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-old-migrations-'))
  for (const name of await readdir(migrations)) {
    if (name < before) await cp(join(migrations, name), join(folder, name), { recursive: true })
  }
  const client = new pg.Client(config)
  await client.connect()
  const connection = {
    query: (sql: string, values?: unknown[]) => client.query(sql, values),
    exec: (script: string) => client.query(script),
  }
  await connection.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await applyMigrations(connection, { folder })
  await fill(connection)
  await applyMigrations(connection)
  await client.end()
  await rm(folder, { recursive: true })
}
