import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { inject } from 'vitest'
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

/** A database for one test file. `giveBack` empties it for the next file, and `close` closes it. */
export type Borrowed = OpenedDatabase & { url?: string; giveBack: () => Promise<void> }

const idle: (OpenedDatabase & { url?: string })[] = []

/** Lends a database to a test file. The files of a worker share one, because that is faster. */
export async function borrowDatabase(): Promise<Borrowed> {
  const opened = idle.pop() ?? (await testDatabase())
  let isClosed = false
  const close = () => {
    isClosed = true
    return opened.close()
  }
  const giveBack = async () => {
    if (isClosed) return
    await empty(opened)
    idle.push(opened)
  }
  return { ...opened, close, giveBack }
}

async function empty({ db }: OpenedDatabase): Promise<void> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`
  await db.$executeRawUnsafe(`TRUNCATE ${tables.map(({ name }) => name).join()} RESTART IDENTITY CASCADE`)
}
