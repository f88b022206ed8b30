import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Bench } from './bench.ts'
import { atEnd } from './closing.ts'

/** The tables whose growth must equal what the responses reported. */
export type Counted = 'messages' | 'access_tokens' | 'files' | 'reactions'

/** A database that is dropped at the end of its scope. */
export type Store = { url: string; client: pg.Client }

export async function createStore({ cluster }: Bench, name: string): Promise<Store> {
  const database = `skein_bench_${randomBytes(4).toString('hex')}_${name}`
  const server = new pg.Client(cluster.url)
  await server.connect()
  await server.query(`CREATE DATABASE ${database}`)
  atEnd(async () => {
    await server.query(`DROP DATABASE ${database} WITH (FORCE)`)
    await server.end()
  })
  const url = new URL(cluster.url)
  url.pathname = `/${database}`
  const client = new pg.Client(url.href)
  await client.connect()
  atEnd(() => client.end())
  return { url: url.href, client }
}

const indexedWithinMs = 120_000
const notIndexed = `(
  SELECT workspace_id FROM event_notes UNION ALL
  SELECT workspace_id FROM event_heads h LEFT JOIN search_progress p USING (workspace_id)
  WHERE h.position > coalesce(p.position, 0)) AS waiting`

/**
 * Finishes the work that earlier writes left, such as indexing for the search, so that it does not slow down a run.
 * Loads the database into PostgreSQL's memory, as on a server that has been in use for a while.
 */
export async function settle({ client }: Store): Promise<void> {
  const deadline = Date.now() + indexedWithinMs
  while ((await countRows({ client }, notIndexed)) > 0) {
    if (Date.now() > deadline) throw new StoreMismatch('Messages are not indexed for the search')
    await sleep(100)
  }
  await client.query('VACUUM (ANALYZE)')
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_prewarm')
  await client.query(
    "SELECT pg_prewarm(oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')",
  )
  await client.query('CHECKPOINT')
}

export async function countRows({ client }: Pick<Store, 'client'>, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`)
  return Number(rows[0]?.count)
}

/** The database does not contain what the responses reported. */
export class StoreMismatch extends Error {}

/** Checks that the table has the expected number of rows, and that no thread has a gap. */
export async function checkStore(store: Store, table: Counted, expected: number): Promise<void> {
  const counted = await countRows(store, table)
  if (counted !== expected) throw new StoreMismatch(`${table}: ${expected} expected, ${counted} counted`)
  await checkThreads(store.client)
}

type Queryable = { query: (sql: string) => Promise<{ rows: unknown[] }> }

/** Checks that every thread's messages are numbered from 1 to its last position. */
export async function checkThreads(client: Queryable): Promise<void> {
  const { rows } = await client.query(`
    SELECT t.id FROM threads t
    LEFT JOIN (
      SELECT workspace_id, thread_id, count(*) AS count, max(position) AS last FROM messages GROUP BY 1, 2
    ) AS m ON m.workspace_id = t.workspace_id AND m.thread_id = t.id
    WHERE coalesce(m.count, 0) <> t.last_position OR coalesce(m.last, 0) <> t.last_position`)
  if (rows.length > 0) throw new StoreMismatch(`${rows.length} threads have gaps: ${JSON.stringify(rows[0])}`)
}
