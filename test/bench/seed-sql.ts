import type pg from 'pg'
import type { Store } from './store.ts'

// The IDs of seeded rows are numbers, so that the bench knows them without a query.

export const authorsEach = 20

/** Returns the ID of a seeded row: the prefix and 27 digits. */
export function idOf(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(27, '0')}`
}

// In this SQL, `n` is a thread and `p` a position. $1 contains the workspaces, which get the threads in turn.
export const messageNumber = 'p::bigint * 10000000 + n'
export const id = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 27, '0')`
export const own = (list: string, n: string) => `(${list}::text[])[${n} % cardinality($1::text[]) + 1]`
export const author = (n: string) =>
  id('usr', `n % cardinality($1::text[]) * ${authorsEach} + (${n}) % ${authorsEach}`)
/** The time of a message: one millisecond later than the message that was inserted before it. */
export const time = (before: string, n: string) =>
  `now() - interval '2 days' + (${before}) * ($3::int - $2::int + 1) * interval '1 ms' + (${n} - $2::int) * interval '1 ms'`
/** The inner series refers to the outer one, so that PostgreSQL does not swap them. */
export const inOrderOfTime =
  'generate_series(1, $4::int) AS p CROSS JOIN LATERAL generate_series($2::int + 0 * p, $3::int) AS n'

export type Query = (sql: string, values: unknown[]) => Promise<unknown>

/** Uses one transaction, without triggers if possible: checking foreign keys takes longer than inserting rows. */
export async function seed({ client }: Store, run: (query: Query) => Promise<unknown>): Promise<void> {
  await client.query('SET session_replication_role = replica').catch(() => undefined)
  await client.query('BEGIN')
  await run((sql, values) => client.query(sql, values as pg.QueryConfigValues<unknown[]>))
  await client.query('COMMIT')
  await client.query('RESET session_replication_role').catch(() => undefined)
}
