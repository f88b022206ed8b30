import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from './database.ts'
import { driverOf } from './drivers.ts'
import { boundsOf } from './until.ts'

/**
 * Runs a statement and gives its rows, as `$queryRaw` does, at a third of the cost: it goes to the driver, which
 * prepares it once for each connection. In a transaction it is `$queryRaw`. Rows hold what both give: a Date for a
 * time, a bigint for a bigint, bytes for a bytea. Statements that name one pipeline run one after the other, and no
 * time passes between them; they write for several callers, and are not stopped when a caller's signal aborts.
 */
export function query<Row>(
  db: Database,
  sql: Prisma.Sql,
  { pipeline }: { pipeline?: string } = {},
): Promise<Row[]> {
  const { shared, signal } = boundsOf(db)
  const driver = driverOf(shared)
  if (!driver) return db.$queryRaw<Row[]>(sql)
  return driver(sql.text, sql.values, pipeline === undefined ? { signal } : { pipeline }) as Promise<Row[]>
}

/**
 * A part of a FROM: the rows of a workspace's table in which a column has one of the values. Each is found by its key:
 * a statement keeps its plan while tables grow, and with the statistics of a small table any index looks as good.
 */
export function rowsBy(
  column: string,
  values: readonly string[],
  { table, alias, workspaceID }: { table: string; alias: string; workspaceID: string },
): Prisma.Sql {
  const [of, by, as] = [Prisma.raw(table), Prisma.raw(column), Prisma.raw(alias)]
  return Prisma.sql`unnest(${[...values]}::text[]) AS wanted (value) CROSS JOIN LATERAL (
    SELECT * FROM ${of} WHERE workspace_id = ${workspaceID} AND ${by} = wanted.value OFFSET 0) AS ${as}`
}
