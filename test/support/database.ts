import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { PGlite } from '@electric-sql/pglite'
import { inject } from 'vitest'
import { embeddedClient, type OpenedDatabase, openDatabase } from '../../src/platform/database.ts'
import { onServer, urlOf } from './global-setup.ts'

/**
 * A migrated database of the caller's own: in memory, or where TEST_DATABASE_URL is set on that server, and then with
 * its URL. Closing it removes it.
 */
export async function testDatabase(): Promise<OpenedDatabase & { url?: string }> {
  const migrated = inject('migratedDatabase')
  if ('dumpFile' in migrated) return embeddedDatabase()
  const { serverURL, template } = migrated
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await onServer(serverURL, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = urlOf(serverURL, name)
  const opened = await openDatabase({ databaseURL: url, dataDir: tmpdir(), poolSize: 10 })
  const close = async () => {
    await opened.close()
    await onServer(serverURL, `DROP DATABASE ${name} WITH (FORCE)`)
  }
  return { ...opened, url, close }
}

async function embeddedDatabase(): Promise<OpenedDatabase> {
  const pglite = await testPGlite()
  const db = await embeddedClient(pglite)
  const close = async () => {
    await db.$disconnect()
    await pglite.close()
  }
  return { db, embedded: true, close }
}

/** The embedded database itself, migrated and in memory. Only without TEST_DATABASE_URL. */
export async function testPGlite(): Promise<PGlite> {
  const migrated = inject('migratedDatabase')
  if (!('dumpFile' in migrated)) throw new Error('TEST_DATABASE_URL is set: there is no embedded database')
  return PGlite.create({ loadDataDir: new Blob([new Uint8Array(await readFile(migrated.dumpFile))]) })
}
