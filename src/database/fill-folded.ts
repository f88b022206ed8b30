import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from './database.ts'
import { execute, query } from './query.ts'

/** A column with the folded text of another column. It is null after the text has changed. */
export type FoldedColumn = { table: string; text: string; folded: string; fold: (text: string) => string }

const rowsPerBatch = 1000

/** Fills the null values of the column in a workspace, because SQL cannot fold. Call it before a search reads them. */
export async function fillFolded(
  db: Database,
  workspaceID: string,
  { table, text, folded, fold }: FoldedColumn,
): Promise<void> {
  const [of, source, target] = [Prisma.raw(table), Prisma.raw(text), Prisma.raw(folded)]
  const missing = Prisma.sql`
    SELECT id, ${source} AS text FROM ${of}
    WHERE workspace_id = ${workspaceID} AND ${target} IS NULL AND ${source} IS NOT NULL
    ORDER BY id LIMIT ${Prisma.raw(String(rowsPerBatch))}`
  // Locks the rows in the order of their IDs, like every other statement. Skips a text that has changed again.
  const fill = (rows: readonly { id: string; text: string }[]) => Prisma.sql`
    WITH locked AS MATERIALIZED (
      SELECT r.id, f.folded
      FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => row.text)}::text[],
        ${rows.map((row) => fold(row.text))}::text[]) AS f (id, text, folded)
      CROSS JOIN LATERAL (
        SELECT id FROM ${of} WHERE workspace_id = ${workspaceID} AND id = f.id AND ${source} = f.text
        FOR NO KEY UPDATE) AS r
    )
    UPDATE ${of} t SET ${target} = locked.folded FROM locked
    WHERE t.workspace_id = ${workspaceID} AND t.id = locked.id`
  for (;;) {
    const rows = await query<{ id: string; text: string }>(db, missing)
    if (rows.length === 0) return
    await execute(db, fill(rows), { isLong: true })
  }
}
