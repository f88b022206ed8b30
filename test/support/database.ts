import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { expect, inject } from 'vitest'
import { type OpenedDatabase, openDatabase, openEmbeddedClient } from '../../src/database/database.ts'
import { startEmbedded } from '../../src/database/embedded/embedded-database.ts'
import { onServer, urlOf } from './global-setup.ts'

/**
 * Creates a migrated database, which `close` removes. By default, it is an embedded database. If TEST_DATABASE_URL is
 * set, it is a database on that server and has a URL. Then `reach` can return another URL for the connection.
 */
export async function testDatabase(
  reach: (url: string) => Promise<string> = async (url) => url,
  poolSize = 10,
): Promise<OpenedDatabase & { url?: string }> {
  const migrated = inject('migratedDatabase')
  if ('dumpFile' in migrated) return embeddedDatabase(migrated.dumpFile)
  const { serverURL, template } = migrated
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await onServer(serverURL, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = urlOf(serverURL, name)
  const opened = await openDatabase({ databaseURL: await reach(url), dataDir: tmpdir(), poolSize })
  const close = async () => {
    await opened.close()
    await onServer(serverURL, `DROP DATABASE ${name} WITH (FORCE)`)
  }
  return { ...opened, url, close }
}

async function embeddedDatabase(dumpFile: string): Promise<OpenedDatabase> {
  return openEmbeddedClient(await startEmbedded({ dumpFile }))
}

/** The database of a test file. After the last `giveBack`, it is emptied for the next file. `close` closes it. */
export type Borrowed = OpenedDatabase & { url?: string; giveBack: () => Promise<void> }

const idle: (OpenedDatabase & { url?: string })[] = []
const closed = new WeakSet<OpenedDatabase>()
type Lent = {
  opening: Promise<OpenedDatabase & { url?: string }>
  borrowers: number
  file: string | undefined
}
let lent: Lent | undefined

/**
 * Lends a database to a test file. All services of a file share this database, and the files of a worker use it one
 * after the other, because that is faster.
 */
export async function borrowDatabase(): Promise<Borrowed> {
  const file = expect.getState().testPath
  lent ??= { opening: Promise.resolve(idle.pop() ?? testDatabase()), borrowers: 0, file }
  // Vitest calls no `afterAll` of a file whose tests are all skipped.
  if (lent.file !== file)
    throw new Error(`${lent.file} has not given its database back. Start services in its tests.`)
  const database = lent
  database.borrowers += 1
  const opened = await database.opening
  const giveBack = async () => {
    database.borrowers -= 1
    if (database.borrowers > 0) return
    if (lent === database) lent = undefined
    if (closed.has(opened)) return
    await opened.db.$executeRawUnsafe(emptyTables)
    idle.push(opened)
  }
  const close = () => {
    closed.add(opened)
    return opened.close()
  }
  return { ...opened, close, giveBack }
}

// Without the triggers of foreign keys, the tables can be emptied in any order. This is much faster than TRUNCATE.
const emptyTables = `
  DO $$ DECLARE name text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN
      SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
    LOOP
      EXECUTE 'DELETE FROM ' || name;
    END LOOP;
  END $$`
