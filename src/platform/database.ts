import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { lockDirectory } from './directory-lock.ts'
import { applyMigrations } from './migrate.ts'

/** The Prisma client, or a transaction of it. */
export type Database = PrismaClient | Prisma.TransactionClient

export type OpenedDatabase = { db: PrismaClient; embedded: boolean; close(): Promise<void> }

/** Runs in a transaction: in the one that `db` is, or in a new one. */
export function inTransaction<T>(
  db: Database,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  return '$connect' in db ? db.$transaction(run) : run(db)
}

export async function openDatabase(options: {
  databaseURL?: string | undefined
  dataDir: string
  poolSize: number
  onError?: (error: Error) => void
}): Promise<OpenedDatabase> {
  if (options.databaseURL !== undefined) {
    const url = options.databaseURL
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await applyMigrations({ query: (s, v) => client.query(s, v), exec: (s) => client.query(s) })
    await client.end()
    const db = new PrismaClient({
      adapter: new PrismaPg(
        {
          connectionString: url,
          max: options.poolSize,
          connectionTimeoutMillis: 5000,
          statement_timeout: 30000,
        },
        { ...(options.onError && { onPoolError: options.onError }) },
      ),
      errorFormat: 'minimal',
      transactionOptions: { maxWait: 10_000, timeout: 15_000 },
    })
    return { db, embedded: false, close: () => db.$disconnect() }
  }
  const release = lockDirectory(options.dataDir)
  const folder = join(options.dataDir, 'db')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pglite = await PGlite.create(folder)
  await applyMigrations(pglite)
  const db = new PrismaClient({
    adapter: new PrismaPGlite(pglite),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: 10_000, timeout: 15_000 },
  })
  return {
    db,
    embedded: true,
    close: async () => {
      await db.$disconnect()
      await pglite.close()
      release()
    },
  }
}
