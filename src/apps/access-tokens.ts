import type { Scope, UserActor } from '../context.ts'
import { joinShortWaits, laneOf, sharedBatches } from '../database/lanes.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from '../platform/database.ts'
import { type Bounds, joining, type LaneName } from '../platform/joining.ts'
import { byID, rowLoader } from '../platform/loader.ts'
import { query } from '../platform/query.ts'
import { Remembered } from '../platform/remembered.ts'
import { hashSecret, newToken } from '../platform/secrets.ts'

type Installed = { workspaceID: string; appID: string }

type Issued = { userID: string; scopes: Scope[] }

/**
 * Makes an access token for an app in a workspace, good for `ttlSeconds` by the database's clock. Undefined where the
 * app is not installed: the installation is locked, so no token outlives an uninstallation that runs at the same time.
 */
export async function issueAccessToken(
  db: Database,
  { workspaceID, appID }: Installed,
  ttlSeconds: number,
): Promise<(Issued & { token: string }) | undefined> {
  const token = newToken()
  const issued = await issue(db, laneOf(db, workspaceID), {
    workspaceID,
    appID,
    hash: hashOf(token),
    ttlSeconds,
  })
  if (issued) known.set(hashOf(token), true)
  return issued && { token, ...issued }
}

type Issue = Installed & { hash: string; ttlSeconds: number }

const batches: Bounds<Issue> = {
  running: 1,
  calls: 128,
  ...sharedBatches({ owner: ({ workspaceID }) => workspaceID, together: ({ workspaceID }) => workspaceID }),
}

const issue = joining<Issue, Issued | undefined>(batches, async (db, calls, lane) => {
  const rows = await query<Issued & { number: bigint }>(db, issueStatement(calls, lane))
  const issued = new Map(rows.map(({ number, userID, scopes }) => [Number(number), { userID, scopes }]))
  return calls.map((_, index) => issued.get(index + 1))
})

/** The installations are locked in the order of their keys, each once. */
function issueStatement(calls: Issue[], lane: LaneName): Prisma.Sql {
  return Prisma.sql`
    WITH asked AS MATERIALIZED (
      SELECT asked.* FROM unnest(
        ${calls.map(({ workspaceID }) => workspaceID)}::text[], ${calls.map(({ appID }) => appID)}::text[],
        ${calls.map(({ hash }) => hash)}::text[], ${calls.map(({ ttlSeconds }) => ttlSeconds)}::integer[]
      ) WITH ORDINALITY AS asked (workspace_id, app_id, hash, ttl_seconds, number)${joinShortWaits(lane)}
    ), installed AS MATERIALIZED (
      SELECT i.* FROM (
        SELECT DISTINCT workspace_id COLLATE "C" AS workspace_id, app_id COLLATE "C" AS app_id FROM asked ORDER BY 1, 2
      ) AS app CROSS JOIN LATERAL (
        SELECT i.workspace_id, i.app_id, i.user_id, i.scopes FROM installations i
        WHERE i.workspace_id = app.workspace_id AND i.app_id = app.app_id AND i.uninstalled_at IS NULL FOR SHARE
      ) AS i
    ), issued AS (
      INSERT INTO access_tokens (workspace_id, token_hash, app_id, expires_at)
      SELECT workspace_id, decode(hash, 'hex'), app_id, now() + make_interval(secs => ttl_seconds)
      FROM asked JOIN installed USING (workspace_id, app_id)
    )
    SELECT number, user_id AS "userID", scopes FROM asked JOIN installed USING (workspace_id, app_id)`
}

/** Who acts with an access token, or undefined for one that is unknown, expired or revoked. */
export async function findTokenActor(db: Database, token: string): Promise<UserActor | undefined> {
  const hash = hashOf(token)
  const found = await loadToken({ db, actor: anyone }, '', hash)
  if (!found) {
    known.delete(hash)
    return undefined
  }
  if (!known.get(hash)) known.set(hash, true)
  const { workspaceID, appID, userID, scopes } = found
  return { kind: 'user', workspaceID, appID, userID, scopes: new Set(scopes) }
}

const anyone = { kind: 'anyone' }
const known = new Remembered<true>(10_000)

/** Whether the token was good when it was issued or looked up last. Whether it still is, `findTokenActor` says. */
export function isKnownToken(token: string): boolean {
  return known.get(hashOf(token)) !== undefined
}

/** Before anyone knows of which workspace it is. */
const loadToken = rowLoader(async ({ db }: { db: Database; actor: typeof anyone }, _workspaceID, hashes) =>
  byID(
    await query<Issued & Installed & { id: string }>(
      db,
      Prisma.sql`
        SELECT given.hash AS id, i.workspace_id AS "workspaceID", i.app_id AS "appID", i.user_id AS "userID", i.scopes
        FROM unnest(${hashes}::text[]) AS given (hash)
        CROSS JOIN LATERAL (
          SELECT * FROM access_tokens WHERE token_hash = decode(given.hash, 'hex') OFFSET 0
        ) t JOIN installations i ON i.workspace_id = t.workspace_id AND i.app_id = t.app_id
        WHERE t.expires_at > now() AND i.uninstalled_at IS NULL`,
    ),
  ),
)

function hashOf(token: string): string {
  return hashSecret(token).toString('hex')
}

/** Ends all access tokens of an app in a workspace. Answers how many had not expired. */
export async function deleteAccessTokens(db: Database, { workspaceID, appID }: Installed): Promise<number> {
  const ended = await query<{ alive: boolean }>(
    db,
    Prisma.sql`
    DELETE FROM access_tokens WHERE workspace_id = ${workspaceID} AND app_id = ${appID}
    RETURNING expires_at > now() AS alive`,
  )
  return ended.filter((token) => token.alive).length
}

/** Deletes what has expired. Several processes may do this at once: each passes over what another has locked. */
export async function sweepAccessTokens(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM access_tokens WHERE (workspace_id, token_hash) IN (
      SELECT workspace_id, token_hash FROM access_tokens WHERE expires_at < now() FOR UPDATE SKIP LOCKED)`
}
