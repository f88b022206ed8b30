import type { Database } from '../../src/database/database.ts'
import { execute, query } from '../../src/database/query.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'

/** What happened from `since` until now moves to the time from `from` until `to`. Both are numbers of minutes ago. */
type Spread = { workspaceID: string; since: Date; from: number; to: number }

/**
 * Moves all times of a workspace into the past, and spreads those after `since` over a longer time. What was earlier stays
 * earlier, in every table. Therefore it stays the same what is read, and in which order everything is.
 */
export async function spreadTimes(db: Database, spread: Spread): Promise<void> {
  const moved = await movedTimes(db, spread)
  for (const { table, times, lists } of await timesByTable(db)) {
    const set = [
      ...times.map((column) => `${column} = ${moved(column)}`),
      ...lists.map((column) => `${column} = ARRAY(SELECT ${moved('time')} FROM unnest(${column}) AS time)`),
    ]
    await update(db, table, set.join(', '), spread)
  }
  // This column has times as well. What was marked as read long ago is not unread again.
  await update(db, 'read_floors', 'undo = NULL', spread)
}

/** Returns a function from the SQL of a time to the SQL of the time to which it moves. */
async function movedTimes(db: Database, { since, from, to }: Spread): Promise<(time: string) => string> {
  const now = await databaseTime(db)
  const begin = new Date(now.getTime() - from * 60_000)
  const factor = ((from - to) * 60_000) / (now.getTime() - since.getTime())
  const [first, start, end] = [begin, since, now].map((time) => `timestamptz '${time.toISOString()}'`)
  return (time) => `CASE WHEN NOT isfinite(${time}) OR ${time} > ${end} THEN ${time}
    ELSE ${first} + (${time} - ${start}) * CASE WHEN ${time} < ${start} THEN 1 ELSE ${factor} END END`
}

export async function databaseTime(db: Database): Promise<Date> {
  const [clock] = await query<{ now: Date }>(db, Prisma.sql`SELECT clock_timestamp() AS now`)
  if (!clock) throw new Error('The database has no clock.')
  return clock.now
}

const timesByTable = (db: Database) =>
  query<{ table: string; times: string[]; lists: string[] }>(
    db,
    Prisma.sql`
    SELECT table_name::text AS "table",
      coalesce(array_agg(column_name::text) FILTER (WHERE udt_name = 'timestamptz'), '{}') AS times,
      coalesce(array_agg(column_name::text) FILTER (WHERE udt_name = '_timestamptz'), '{}') AS lists
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
      AND table_name <> 'audit_entries' -- its rows cannot be changed
    GROUP BY table_name
    HAVING bool_or(column_name = 'workspace_id') AND bool_or(udt_name LIKE '%timestamptz')`,
  )

const update = (db: Database, table: string, set: string, { workspaceID }: Spread) =>
  execute(db, Prisma.raw(`UPDATE ${table} SET ${set} WHERE workspace_id = '${workspaceID}'`), {
    isLong: true,
  })
