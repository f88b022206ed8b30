import type { Context } from '../context.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'

type Shared = Pick<Context, 'db' | 'storage'>

/** Returns an SQL condition that is true if the file is in use. `src/messages` defines the condition. */
type IsInUse = (file: Prisma.Sql) => Prisma.Sql

const sweptAtOnce = 100
/** Files in use are checked again, because they can be detached. */
const recheckAfterDays = 7

/** Deletes unused files, expired tickets, unused contents and partial uploads. Several processes can run it. */
export async function sweepFiles({ db, storage }: Shared, isInUse: IsInUse): Promise<number> {
  await storage.removeAbandoned()
  await sweepTickets(db)
  let swept = 0
  for (const step of [() => sweepSomeFiles(db, isInUse), () => sweepSomeContents({ db, storage })]) {
    for (let rows = sweptAtOnce; rows === sweptAtOnce; swept += rows) rows = await step()
  }
  return swept
}

/** Deletes tickets a day after they expire. Until then, `createFile` returns their files. */
async function sweepTickets(db: Database): Promise<void> {
  await db.$executeRaw`
    DELETE FROM upload_tickets WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM upload_tickets
      WHERE expires_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED)`
}

type FileKey = { workspaceID: string; id: string }

/** The row locks prevent new uses of these files. The second statement sees all earlier uses. */
async function sweepSomeFiles(db: Database, isInUse: IsInUse): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await query<FileKey>(
      tx,
      Prisma.sql`
        SELECT workspace_id AS "workspaceID", id FROM files
        WHERE sweep_at < now() ORDER BY sweep_at LIMIT ${sweptAtOnce}::integer FOR UPDATE SKIP LOCKED`,
    )
    if (due.length > 0) await query(tx, deleteUnused(due, isInUse))
    return due.length
  })
}

// `freed` and `to_check` lock the rows that are updated, in a fixed order, to avoid deadlocks.
function deleteUnused(due: FileKey[], isInUse: IsInUse): Prisma.Sql {
  return Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT d.workspace_id, d.id, ${isInUse(Prisma.sql`d`)} AS is_in_use
      FROM unnest(${due.map(({ workspaceID }) => workspaceID)}::text[], ${due.map(({ id }) => id)}::text[]) AS d (workspace_id, id)
    ), kept AS (
      UPDATE files f SET sweep_at = now() + make_interval(days => ${recheckAfterDays}::integer)
      FROM due WHERE f.workspace_id = due.workspace_id AND f.id = due.id AND due.is_in_use
    ), deleted AS (
      DELETE FROM files f USING due
      WHERE f.workspace_id = due.workspace_id AND f.id = due.id AND NOT due.is_in_use
      RETURNING f.sha256, f.workspace_id, f.size_bytes
    ), freed AS MATERIALIZED (
      SELECT g.workspace_id, g.bytes FROM (
        SELECT workspace_id, sum(size_bytes)::bigint AS bytes FROM deleted GROUP BY workspace_id ORDER BY workspace_id
      ) AS g CROSS JOIN LATERAL (
        SELECT FROM workspace_storage WHERE workspace_id = g.workspace_id FOR NO KEY UPDATE) AS s
    ), counted AS (
      UPDATE workspace_storage s
      SET used_bytes = s.used_bytes - (SELECT bytes FROM freed g WHERE g.workspace_id = s.workspace_id)
      WHERE s.workspace_id = ANY (ARRAY(SELECT workspace_id FROM freed))
    ), to_check AS MATERIALIZED (
      SELECT c.sha256 FROM (SELECT DISTINCT sha256 FROM deleted ORDER BY sha256) AS d CROSS JOIN LATERAL (
        SELECT sha256 FROM contents WHERE sha256 = d.sha256 FOR NO KEY UPDATE) AS c
    )
    UPDATE contents c SET sweep_at = greatest(c.sweep_at, now()) FROM to_check WHERE c.sha256 = to_check.sha256`
}

// Returns how many contents it swept. Another process that has locked contents sweeps and counts them itself.
async function sweepSomeContents({ db, storage }: Shared): Promise<number> {
  const due = await query<{ sha256: Uint8Array }>(
    db,
    Prisma.sql`SELECT sha256 FROM contents WHERE sweep_at < now() ORDER BY sweep_at LIMIT ${sweptAtOnce}::integer`,
  )
  let swept = 0
  for (const { sha256 } of due) swept += (await sweepContent({ db, storage }, sha256)) ? 1 : 0
  return swept
}

// Removes bytes that no file has. The row lock makes an upload of the same bytes wait. If the process ends before the
// commit, the row stays without its bytes. This is harmless, because an upload of the same bytes stores them again.
async function sweepContent({ db, storage }: Shared, sha256: Uint8Array): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const locked = await query(
      tx,
      Prisma.sql`SELECT sha256 FROM contents WHERE sha256 = ${sha256} AND sweep_at < now() FOR UPDATE SKIP LOCKED`,
    )
    if (locked.length === 0) return false
    const deleted = await tx.$executeRaw`
      DELETE FROM contents c WHERE sha256 = ${sha256}
        AND NOT EXISTS (SELECT FROM files f WHERE f.sha256 = c.sha256 OFFSET 0)`
    if (deleted > 0) await storage.remove(sha256)
    else await tx.$executeRaw`UPDATE contents SET sweep_at = NULL WHERE sha256 = ${sha256}`
    return true
  })
}
