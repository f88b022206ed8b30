import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database that test files copy: a dump for the embedded database, or a template on a server. */
    migratedDatabase: { dumpFile: string } | { serverURL: string; template: string }
  }
}

/**
 * Migrates a database once for all test files. The returned function removes it and all remaining copies. Loads the
 * service only now, because in a new checkout its generated files are written just before.
 */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  const serverURL = process.env.TEST_DATABASE_URL
  return serverURL === undefined ? dumpEmbedded(project) : createTemplate(project, serverURL)
}

async function dumpEmbedded(project: TestProject): Promise<() => Promise<void>> {
  const { createDataDirectory } = await import('../../src/database/embedded/embedded-database.ts')
  const folder = await mkdtemp(join(tmpdir(), 'skein-tests-'))
  const dumpFile = join(folder, 'database.tar')
  await createDataDirectory(join(folder, 'db'))
  const pglite = await PGlite.create(join(folder, 'db'))
  await pglite.exec('CHECKPOINT')
  const dump = await pglite.dumpDataDir('none')
  await writeFile(dumpFile, new Uint8Array(await dump.arrayBuffer()))
  await pglite.close()
  project.provide('migratedDatabase', { dumpFile })
  return () => rm(folder, { recursive: true })
}

async function createTemplate(project: TestProject, serverURL: string): Promise<() => Promise<void>> {
  const { openDatabase } = await import('../../src/database/database.ts')
  const template = `skein_test_${randomBytes(6).toString('hex')}`
  await onServer(serverURL, `CREATE DATABASE ${template}`)
  const databaseURL = urlOf(serverURL, template)
  const { close } = await openDatabase({ databaseURL, dataDir: tmpdir(), poolSize: 1 })
  await close()
  project.provide('migratedDatabase', { serverURL, template })
  return () => dropAll(serverURL, template)
}

async function dropAll(serverURL: string, template: string): Promise<void> {
  const names = await onServer(serverURL, `SELECT datname FROM pg_database WHERE datname LIKE '${template}%'`)
  for (const { datname } of names) await onServer(serverURL, `DROP DATABASE ${datname} WITH (FORCE)`)
}

/** Runs one statement on a new connection. */
export async function onServer(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Returns the URL of another database on the same server. */
export function urlOf(serverURL: string, database: string): string {
  const url = new URL(serverURL)
  url.pathname = `/${database}`
  return url.href
}
