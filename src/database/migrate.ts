import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One connection. `exec` takes a script of several statements. */
export type MigrationConnection = {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  exec(script: string): Promise<unknown>
}

type Migration = { name: string; script: string; checksum: string }
type Applied = { name: string; checksum: string; finished: boolean }

// The path is the same from src/database and from dist/database.
const productFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

// Prisma also locks this key. Therefore `prisma migrate deploy` and Skein wait for each other.
const lockKey = 72_707_369

/** Applies missing migrations, each in a transaction, and returns their names. Processes wait for each other. */
export async function applyMigrations(
  connection: MigrationConnection,
  options: { folder?: string } = {},
): Promise<string[]> {
  const migrations = await readMigrations(options.folder ?? productFolder)
  await connection.exec('SET statement_timeout = 0; SET lock_timeout = 0')
  await connection.query('SELECT pg_advisory_lock($1)', [lockKey])
  try {
    const pending = pendingOf(migrations, await appliedTo(connection))
    for (const migration of pending) await apply(connection, migration)
    return pending.map(({ name }) => name)
  } finally {
    // A failure is ignored: a broken connection has already lost the lock, and the first error says more.
    await connection.query('SELECT pg_advisory_unlock($1)', [lockKey]).catch(() => undefined)
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(join(folder, name, 'migration.sql'))
      const checksum = createHash('sha256').update(bytes).digest('hex')
      return { name, script: bytes.toString('utf8'), checksum }
    }),
  )
}

// Checks whether the table exists, because PostgreSQL rejects even `IF NOT EXISTS` if the role cannot create tables.
async function appliedTo(connection: MigrationConnection): Promise<Applied[]> {
  const { rows } = await connection.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`)
  const [table] = rows as { exists: boolean }[]
  if (!table?.exists) await connection.exec(migrationTable)
  const applied = await connection.query(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return applied.rows as Applied[]
}

// The table that Prisma would create.
const migrationTable = `CREATE TABLE _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`

function pendingOf(migrations: Migration[], applied: Applied[]): Migration[] {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  const first = migrations[0]?.name ?? ''
  for (const { name, checksum, finished } of applied) {
    if (!finished) throw new Error(halfAppliedMigration(name))
    const migration = byName.get(name)
    if (!migration) throw new Error(name < first ? preRelease : unknownMigration(name))
    if (migration.checksum !== checksum) throw new Error(editedMigration(name))
    byName.delete(name)
  }
  const pending = [...byName.values()]
  const last = applied.map(({ name }) => name).reduce((one, other) => (one > other ? one : other), '')
  const early = pending.find(({ name }) => name < last)
  if (early) throw new Error(earlyMigration(early.name, last))
  return pending
}

const halfAppliedMigration = (name: string) =>
  `The migration ${name} was started on this database but not finished. Restore a backup, or repair the ` +
  `tables by hand and then run \`prisma migrate resolve --applied ${name}\` or \`--rolled-back ${name}\`.`

const preRelease =
  'The database was made by a version from before the first release, which this version cannot update. Use an empty ' +
  'database, or delete the folder of the embedded one.'

const unknownMigration = (name: string) =>
  `The database has the migration ${name}, which this version does not know. A newer version has used ` +
  'the database. Run that version or a later one, or restore a backup that is older than the migration.'

const earlyMigration = (name: string, last: string) =>
  `The migration ${name} is not applied to this database, but the migration ${last}, which sorts after it, is. ` +
  `Give the folder of ${name} a later time than ${last}. Otherwise, other databases would run them in another order.`

const editedMigration = (name: string) =>
  `The file of the migration ${name} was changed after the migration was applied to this database. ` +
  'Restore the file, and make the change in a new migration.'

async function apply(connection: MigrationConnection, { name, script, checksum }: Migration): Promise<void> {
  try {
    await connection.exec('BEGIN')
    await connection.exec(script)
    await connection.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES (gen_random_uuid()::text, $1, $2, now(), clock_timestamp(), 1)`,
      [checksum, name],
    )
    await connection.exec('COMMIT')
  } catch (error) {
    await connection.exec('ROLLBACK').catch(() => undefined)
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The migration ${name} failed and was rolled back: ${reason}`, { cause: error })
  }
}
