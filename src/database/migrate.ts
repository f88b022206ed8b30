import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gauge } from '../platform/metrics.ts'

const applied = gauge('skein_migrations_applied', 'The migrations that the database has.')

/** One connection. `exec` takes a script of several statements. */
export type MigrationConnection = {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  exec(script: string): Promise<unknown>
}

/** A migration whose first line is `-- outside of a transaction` must give the same result if it is repeated. */
type Migration = { name: string; script: string; checksum: string }
type Applied = { name: string; checksum: string; finished: boolean }

// The path is the same from src/database and from dist/database.
const productFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

// Prisma also locks this key. Therefore `prisma migrate deploy` and Skein wait for each other.
const lockKey = 72_707_369

/** Statements of other sessions wait behind one that waits for a lock. Therefore a migration tries again. */
const lockWait = { eachMs: 2000, pauseMs: 1000, attempts: 100 }
const lockNotAvailable = '55P03'

type Options = {
  folder?: string
  onProgress?: ((text: string) => void) | undefined
  /** Is called before the first of several migrations, unless the database is new. */
  before?: (() => Promise<void>) | undefined
  /** Whether this start has created the database, with its migrations. */
  isNew?: boolean | undefined
}

/**
 * Applies missing migrations, each in a transaction, and returns what this start has applied. Processes wait for each
 * other.
 */
export async function applyMigrations(
  connection: MigrationConnection,
  { folder = productFolder, onProgress = () => undefined, before, isNew = false }: Options = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  await connection.exec('SET statement_timeout = 0; SET lock_timeout = 0')
  await lock(connection, onProgress)
  try {
    const earlier = await appliedTo(connection)
    const pending = pendingOf(migrations, earlier)
    if (earlier.length > 0 && pending.length > 0) await before?.()
    for (const [index, migration] of pending.entries()) {
      onProgress(`applying the migration ${migration.name} (${index + 1} of ${pending.length})`)
      await applyWhenFree(connection, migration, onProgress)
    }
    applied.set(migrations.length)
    return (isNew ? migrations : pending).map(({ name }) => name)
  } finally {
    // A failure is ignored: a broken connection has already lost the lock, and the first error says more.
    await connection.query('SELECT pg_advisory_unlock($1)', [lockKey]).catch(() => undefined)
  }
}

async function lock(connection: MigrationConnection, onProgress: (text: string) => void): Promise<void> {
  const { rows } = await connection.query('SELECT pg_try_advisory_lock($1) AS "isLocked"', [lockKey])
  const [answer] = rows as { isLocked: boolean }[]
  if (answer?.isLocked) return
  onProgress('waiting for another process that migrates the database')
  await connection.query('SELECT pg_advisory_lock($1)', [lockKey])
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

async function applyWhenFree(
  connection: MigrationConnection,
  migration: Migration,
  onProgress: (text: string) => void,
): Promise<void> {
  const isOutside = migration.script.startsWith('-- outside of a transaction\n')
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (isOutside ? applyOutside(connection, migration) : apply(connection, migration))
    } catch (error) {
      const isLocked = (error as { code?: string }).code === lockNotAvailable && attempt < lockWait.attempts
      if (!isLocked) throw failureOf(migration, error, isOutside)
    }
    onProgress(`the migration ${migration.name} waits for a lock that another session has`)
    await sleep(lockWait.pauseMs)
  }
}

function failureOf({ name }: Migration, error: unknown, isOutside: boolean): Error {
  const reason = error instanceof Error ? error.message : String(error)
  const end = isOutside ? 'failed. The next start repeats it' : 'failed and was rolled back'
  return new Error(`The migration ${name} ${end}: ${reason}`, { cause: error })
}

async function apply(connection: MigrationConnection, migration: Migration): Promise<void> {
  try {
    await connection.exec('BEGIN')
    await connection.exec(`SET LOCAL lock_timeout = ${lockWait.eachMs}`)
    await connection.exec(migration.script)
    await record(connection, migration)
    await connection.exec('COMMIT')
  } catch (error) {
    await connection.exec('ROLLBACK').catch(() => undefined)
    throw error
  }
}

// CREATE INDEX CONCURRENTLY must be alone in its query. While it waits, no other statement waits behind it.
async function applyOutside(connection: MigrationConnection, migration: Migration): Promise<void> {
  for (const statement of migration.script.split(/;$/m)) {
    if (statement.trim() !== '') await connection.exec(statement)
  }
  await record(connection, migration)
}

async function record(connection: MigrationConnection, { name, checksum }: Migration): Promise<void> {
  await connection.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES (gen_random_uuid()::text, $1, $2, now(), clock_timestamp(), 1)`,
    [checksum, name],
  )
}
