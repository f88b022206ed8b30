import type { Database } from '../../src/database/database.ts'
import { newID } from '../../src/platform/ids.ts'
import { hashSecret, newSecret, newToken } from '../../src/platform/secrets/secrets.ts'

/** The rows of a workspace, as the JSON of an object with a list for each table. */
export type Rows = { json: string; insert: string }

type Table = { name: string; key: string; columns: string }

/** Reads all rows of a workspace from all tables, except its events, whose numbers come from a sequence. */
export async function readRows(db: Database, workspaceID: string): Promise<Rows> {
  const tables = await db.$queryRaw<Table[]>`
    SELECT quote_ident(table_name) AS name, CASE table_name WHEN 'workspaces' THEN 'id' ELSE 'workspace_id' END AS key,
      string_agg(quote_ident(column_name), ', ' ORDER BY column_name) FILTER (WHERE is_generated = 'NEVER') AS columns
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name IN (SELECT tablename FROM pg_tables) AND table_name NOT IN ('event_notes', 'event_heads', 'event_batches')
    GROUP BY table_name HAVING table_name = 'workspaces' OR bool_or(column_name = 'workspace_id')`
  const rows: Record<string, object[]> = {}
  for (const { name, key } of tables) {
    const sql = `SELECT to_jsonb(t) AS row FROM ${name} t WHERE ${key} = $1`
    const found = await db.$queryRawUnsafe<{ row: object }[]>(sql, workspaceID)
    if (found.length > 0) rows[name] = found.map(({ row }) => row)
  }
  const inserts = tables
    .filter(({ name }) => name in rows)
    .map(
      ({ name, columns }) => `of_${name} AS (INSERT INTO ${name} (${columns})
        SELECT ${columns} FROM rows, jsonb_populate_recordset(NULL::${name}, value -> '${name}'))`,
    )
  const insert = `WITH rows (value) AS (SELECT $1::jsonb), ${inserts.join(', ')} SELECT 1`
  return { json: JSON.stringify(rows), insert }
}

/** Inserts a copy of the rows with new IDs and secrets. Returns a function that replaces the old values in a text. */
export async function insertCopy(
  db: Database,
  { json, insert }: Rows,
  secrets: string[],
): Promise<(text: string) => string> {
  // The General group has the ID of its workspace with another prefix. New IDs keep the order of the old ones.
  const oldIDs = [...new Set(json.match(/(?<=\b[a-z]{3}_)\w{27}\b/g))].sort()
  const newIDs = oldIDs.map(() => newID('wks').slice(-27)).sort()
  const replacements = new Map(oldIDs.map((id, index) => [id, newIDs[index] ?? '']))
  for (const secret of secrets) {
    const other = secret.length === newToken().length ? newToken() : newSecret()
    replacements.set(secret, other)
    replacements.set(hexHash(secret), hexHash(other))
  }
  const pattern = new RegExp([...replacements.keys()].join('|'), 'g')
  const replace = (text: string) => text.replace(pattern, (old) => replacements.get(old) ?? old)
  await db.$executeRawUnsafe(insert, replace(json))
  return replace
}

function hexHash(secret: string): string {
  return Buffer.from(hashSecret(secret)).toString('hex')
}
