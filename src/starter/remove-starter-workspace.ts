import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { endSessions } from '../accounts/sessions/session.ts'
import { sessionEnds } from '../accounts/sessions/session-ends.ts'
import { record } from '../audit/record.ts'
import { type Context, requireOperator } from '../context.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { databaseFailure } from '../database/database-errors.ts'
import { execute, query } from '../database/query.ts'
import { conflict } from '../errors.ts'
import { Prisma, type Workspace } from '../generated/prisma/client.ts'
import { parseInput } from '../input.ts'
import { type Starter, starterPath } from './create-starter-workspace.ts'
import { readStarter } from './read-starter.ts'

const inputSchema = z.object({ force: z.boolean().nullish() })

/** Returns whether the starter workspace was removed. Then the next start does not create one. */
export function wasStarterRemoved(dataDir: string): boolean {
  return existsSync(removedPath(dataDir))
}

const removedPath = (dataDir: string) => join(dataDir, 'starter-removed')

/**
 * Removes the starter workspace that `starter.json` names, with everything in it, and this file. Returns undefined if
 * there is none. Refuses a workspace that is in use, unless `force` is set. The next sweep removes the bytes of files.
 */
export async function removeStarterWorkspace(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<Workspace | undefined> {
  requireOperator(ctx)
  const { force } = parseInput(inputSchema, input)
  const { dataDir } = ctx.config
  const starter = await readStarter(dataDir)
  if (!starter) return undefined
  let accounts: { id: string }[] = []
  const removed = await inTransaction(ctx.db, async (db) => {
    const [workspace] = await query<Workspace>(
      db,
      Prisma.sql`SELECT id, name FROM workspaces WHERE id = ${starter.workspaceID} FOR UPDATE`,
    )
    if (!workspace) return undefined
    await requireUnused(db, starter, force ?? false)
    accounts = await query<{ id: string }>(
      db,
      Prisma.sql`
        SELECT DISTINCT u.account_id AS id FROM users u
        WHERE u.workspace_id = ${workspace.id} AND u.id = ANY(${starter.userIDs}::text[]) AND u.account_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM users o WHERE o.account_id = u.account_id AND o.workspace_id <> u.workspace_id)`,
    )
    for (const { id } of accounts) await endSessions(db, id)
    await deleteRowsOf(db, workspace.id)
    await record({ ...ctx, db }, { action: 'removeStarterWorkspace', object: workspace })
    // A start after the commit must find the file.
    await writeFile(removedPath(dataDir), '')
    return workspace
  }).catch((error: unknown) => {
    if (databaseFailure(error) !== 'missing') throw error
    throw conflict('concurrent_change', 'Somebody wrote to the workspace at the same time. Try again.')
  })
  for (const { id } of accounts) sessionEnds(ctx.db).send(id)
  await rm(starterPath(dataDir), { force: true })
  return removed
}

type Use = { what: string; count: number; canBeForced: boolean }

async function requireUnused(db: Database, starter: Starter, force: boolean): Promise<void> {
  const { workspaceID, appID, userIDs, webhookURL } = starter
  const webhookID = /\/webhook\/([^/]+)/.exec(webhookURL)?.[1] ?? ''
  const uses = await query<Use>(
    db,
    Prisma.sql`
      SELECT what, count, can_be_forced AS "canBeForced" FROM (
        SELECT 'other people' AS what, true AS can_be_forced, count(*)::integer AS count FROM users
        WHERE workspace_id = ${workspaceID} AND kind = 'person' AND NOT (id = ANY(${userIDs}::text[]) AND email LIKE '%@example.com')
        UNION ALL
        SELECT 'other apps', true, count(*)::integer FROM installations
        WHERE workspace_id = ${workspaceID} AND app_id <> ${appID} AND uninstalled_at IS NULL
        UNION ALL
        SELECT 'other webhooks', true, count(*)::integer FROM webhooks
        WHERE workspace_id = ${workspaceID} AND id <> ${webhookID} AND deleted_at IS NULL
        UNION ALL
        SELECT 'installations of its apps in other workspaces', false, count(*)::integer
        FROM apps CROSS JOIN LATERAL (SELECT workspace_id FROM installations WHERE app_id = apps.id OFFSET 0) AS i
        WHERE apps.workspace_id = ${workspaceID} AND i.workspace_id <> ${workspaceID}
      ) AS used WHERE count > 0`,
  )
  const blocking = uses.filter(({ canBeForced }) => !(force && canBeForced))
  if (blocking.length === 0) return
  const list = blocking.map(({ what, count }) => `${count} ${what}`).join(', ')
  const advice = blocking.every(({ canBeForced }) => canBeForced)
    ? 'To remove it with everything in it, set force.'
    : 'It cannot be removed, because other workspaces refer to its apps.'
  throw conflict('starter_in_use', `The starter workspace is in use. It has ${list}. ${advice}`)
}

/**
 * Deletes the rows of a workspace in all tables that have any. References between them are checked at the end of the
 * statement. The audit log stays.
 */
async function deleteRowsOf(db: Database, workspaceID: string): Promise<void> {
  // No foreign key protects the list of calls. Storing a call locks its webhook. Therefore this waits for such calls.
  await query(db, Prisma.sql`SELECT FROM webhooks WHERE workspace_id = ${workspaceID} ORDER BY id FOR UPDATE`)
  const tables = await query<{ name: string }>(
    db,
    Prisma.sql`
      SELECT t.table_name::text AS name FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = current_schema() AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE'
        AND t.table_name <> 'audit_entries'
      ORDER BY t.table_name`,
  )
  const deletions = tables.map(
    ({ name }) =>
      Prisma.sql`${Prisma.raw(`of_${name}`)} AS (DELETE FROM ${Prisma.raw(name)} WHERE workspace_id = ${workspaceID})`,
  )
  await execute(
    db,
    Prisma.sql`WITH ${Prisma.join(deletions)} DELETE FROM ${Prisma.raw('workspaces')} WHERE id = ${workspaceID}`,
  )
}
