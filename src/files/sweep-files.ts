import type { Context } from '../context.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import { query } from '../platform/query.ts'

type Shared = Pick<Context, 'db' | 'storage'>

const sweptAtOnce = 100
/** A file that is attached to something may be detached again: so it is looked at now and then. */
const lookedAtAgainDays = 7

/**
 * Deletes the files that nobody attached in time, the upload tickets that have expired, the bytes that no file has, and
 * partial uploads of processes that have ended. Several processes may do this at once: each passes over what another one, or an attaching, has locked.
 */
export async function sweepFiles({ db, storage }: Shared): Promise<void> {
  await storage.removeAbandoned()
  await sweepTickets(db)
  while ((await sweepSomeFiles(db)) === sweptAtOnce) {}
  while ((await sweepSomeContents({ db, storage })) === sweptAtOnce) {}
}

/** For a day after it has expired, a ticket may be asked for its file. */
async function sweepTickets(db: Database): Promise<void> {
  await db.$executeRaw`
    DELETE FROM upload_tickets WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM upload_tickets
      WHERE expires_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED)`
}

type FileKey = { workspaceID: string; id: string }

/** While the rows are locked nobody can attach the files, and the statement after the lock sees who has. */
async function sweepSomeFiles(db: Database): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await query<FileKey>(
      tx,
      Prisma.sql`
        SELECT workspace_id AS "workspaceID", id FROM files
        WHERE sweep_at < now() ORDER BY sweep_at LIMIT ${sweptAtOnce}::integer FOR UPDATE SKIP LOCKED`,
    )
    if (due.length > 0) await query(tx, deleteUnattached(due))
    return due.length
  })
}

function deleteUnattached(due: FileKey[]): Prisma.Sql {
  return Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT d.workspace_id, d.id, EXISTS (
        SELECT FROM attachments a WHERE a.workspace_id = d.workspace_id AND a.file_id = d.id OFFSET 0) AS is_attached
      FROM unnest(${due.map(({ workspaceID }) => workspaceID)}::text[], ${due.map(({ id }) => id)}::text[]) AS d (workspace_id, id)
    ), kept AS (
      UPDATE files f SET sweep_at = now() + make_interval(days => ${lookedAtAgainDays}::integer)
      FROM due WHERE f.workspace_id = due.workspace_id AND f.id = due.id AND due.is_attached
    ), deleted AS (
      DELETE FROM files f USING due
      WHERE f.workspace_id = due.workspace_id AND f.id = due.id AND NOT due.is_attached
      RETURNING f.sha256, f.workspace_id, f.size_bytes
    ), given_back AS MATERIALIZED (
      SELECT g.workspace_id, g.bytes FROM (
        SELECT workspace_id, sum(size_bytes)::bigint AS bytes FROM deleted GROUP BY workspace_id ORDER BY workspace_id
      ) AS g CROSS JOIN LATERAL (
        SELECT FROM workspace_storage WHERE workspace_id = g.workspace_id FOR NO KEY UPDATE) AS s
    ), counted AS (
      UPDATE workspace_storage s
      SET used_bytes = s.used_bytes - (SELECT bytes FROM given_back g WHERE g.workspace_id = s.workspace_id)
      WHERE s.workspace_id = ANY (ARRAY(SELECT workspace_id FROM given_back))
    ), left_over AS MATERIALIZED (
      SELECT c.sha256 FROM (SELECT DISTINCT sha256 FROM deleted ORDER BY sha256) AS d CROSS JOIN LATERAL (
        SELECT sha256 FROM contents WHERE sha256 = d.sha256 FOR NO KEY UPDATE) AS c
    )
    UPDATE contents c SET sweep_at = greatest(c.sweep_at, now()) FROM left_over WHERE c.sha256 = left_over.sha256`
}

async function sweepSomeContents({ db, storage }: Shared): Promise<number> {
  const due = await query<{ sha256: Uint8Array }>(
    db,
    Prisma.sql`SELECT sha256 FROM contents WHERE sweep_at < now() ORDER BY sweep_at LIMIT ${sweptAtOnce}::integer`,
  )
  for (const { sha256 } of due) await sweepContent({ db, storage }, sha256)
  return due.length
}

/**
 * Removes bytes that no file has, under the lock of their row: who stores the same ones waits for it. When the process
 * ends in between, the row stays without bytes, and that is no harm: nobody takes it for a promise that they are there.
 */
async function sweepContent({ db, storage }: Shared, sha256: Uint8Array): Promise<void> {
  await inTransaction(db, async (tx) => {
    const locked = await query(
      tx,
      Prisma.sql`SELECT sha256 FROM contents WHERE sha256 = ${sha256} AND sweep_at < now() FOR UPDATE SKIP LOCKED`,
    )
    if (locked.length === 0) return
    const deleted = await tx.$executeRaw`
      DELETE FROM contents c WHERE sha256 = ${sha256}
        AND NOT EXISTS (SELECT FROM files f WHERE f.sha256 = c.sha256 OFFSET 0)`
    if (deleted > 0) await storage.remove(sha256)
    else await tx.$executeRaw`UPDATE contents SET sweep_at = NULL WHERE sha256 = ${sha256}`
  })
}
