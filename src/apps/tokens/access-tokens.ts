import type { UserActor } from '../../context.ts'
import { type BatchLimits, batcher, type QueueKey } from '../../database/batches/batcher.ts'
import { sharedBatches, withShortWaits } from '../../database/batches/write-queues.ts'
import type { Database } from '../../database/database.ts'
import { callerLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { hashSecret, newToken } from '../../platform/secrets/secrets.ts'
import { commonScopes, isScope, type Scope, withIncluded } from '../../scopes.ts'
import { activePersonOf } from '../../users/active-person.ts'

export type InstallationKey = { workspaceID: string; appID: string }

/** The user and the scopes of a token. The installation may have lost some of these scopes. */
type TokenGrant = { userID: string; scopes: Scope[]; installedScopes: Scope[] }

/** Without `scopes`, the token gets all scopes of the installation. */
type TokenRequest = InstallationKey & { scopes?: readonly Scope[] | undefined; ttlSeconds: number }

export async function findInstalledScopes(
  db: Database,
  { workspaceID, appID }: InstallationKey,
): Promise<Scope[] | undefined> {
  const where = { workspaceID_appID: { workspaceID, appID }, uninstalledAt: null }
  const found = await db.installation.findUnique({ where, select: { scopes: true } })
  return found?.scopes.filter(isScope)
}

/** Issues a token, valid for `ttlSeconds` by the database's clock. Returns undefined if the app is not installed. */
export async function issueAccessToken(
  db: Database,
  request: TokenRequest,
): Promise<{ token: string; userID: string; scopes: Scope[] } | undefined> {
  const token = newToken()
  const hash = hashOf(token)
  const issued = await issue(db, '', { ...request, hash })
  if (!issued) return undefined
  const { userID, scopes, installedScopes } = issued
  const allowed = withIncluded(installedScopes)
  return { token, userID, scopes: scopes.filter((scope) => allowed.includes(scope)) }
}

type Issue = TokenRequest & { hash: string }

const batches: BatchLimits<Issue> = {
  running: 1,
  calls: 128,
  ...sharedBatches('tokens', {
    owner: ({ workspaceID }) => workspaceID,
    splitKey: ({ workspaceID }) => workspaceID,
  }),
}

const issue = batcher<Issue, TokenGrant | undefined>(batches, async (db, calls, queue) => {
  const rows = await query<TokenGrant & { number: bigint }>(db, issueStatement(calls, queue))
  const issued = new Map(rows.map(({ number, ...granted }) => [Number(number), granted]))
  return calls.map((_, index) => issued.get(index + 1))
})

// Locks each installation once, in key order. The locks ensure that no token survives a concurrent uninstallation.
function issueStatement(calls: Issue[], queue: QueueKey): Prisma.Sql {
  return Prisma.sql`
    WITH asked AS MATERIALIZED (
      SELECT asked.* FROM unnest(
        ${calls.map(({ workspaceID }) => workspaceID)}::text[], ${calls.map(({ appID }) => appID)}::text[],
        ${calls.map(({ hash }) => hash)}::text[], ${calls.map(({ ttlSeconds }) => ttlSeconds)}::integer[],
        ${calls.map(({ scopes }) => scopes?.join(' ') ?? null)}::text[]
      ) WITH ORDINALITY AS asked (workspace_id, app_id, hash, ttl_seconds, asked_scopes, number)${withShortWaits(queue.isSplitQueue)}
    ), installed AS MATERIALIZED (
      SELECT i.* FROM (
        SELECT DISTINCT workspace_id COLLATE "C" AS workspace_id, app_id COLLATE "C" AS app_id FROM asked ORDER BY 1, 2
      ) AS app CROSS JOIN LATERAL (
        SELECT i.workspace_id, i.app_id, i.user_id, i.scopes FROM installations i
        WHERE i.workspace_id = app.workspace_id AND i.app_id = app.app_id AND i.uninstalled_at IS NULL FOR SHARE
      ) AS i
    ), granted AS (
      SELECT asked.*, installed.user_id, installed.scopes AS installed_scopes,
        coalesce(string_to_array(asked.asked_scopes, ' '), installed.scopes) AS scopes
      FROM asked JOIN installed USING (workspace_id, app_id)
    ), issued AS (
      INSERT INTO access_tokens (workspace_id, token_hash, app_id, scopes, expires_at)
      SELECT workspace_id, decode(hash, 'hex'), app_id, scopes, now() + make_interval(secs => ttl_seconds)
      FROM granted
    )
    SELECT number, user_id AS "userID", scopes, installed_scopes AS "installedScopes" FROM granted`
}

export async function findTokenActor(db: Database, token: string): Promise<UserActor | undefined> {
  const hash = hashOf(token)
  const found = await loadToken(db, hash)
  if (!found) return undefined
  const { workspaceID, appID, userID, actsAsPerson } = found
  const scopes = new Set(commonScopes(found.scopes, found.installedScopes))
  return { kind: 'user', workspaceID, appID, userID, scopes, ...(actsAsPerson && { programID: appID }) }
}

// The person that a token `t` acts as.
const activePerson = Prisma.sql`
  SELECT person.id FROM (
    SELECT * FROM grants WHERE workspace_id = t.workspace_id AND id = t.grant_id AND t.user_id IS NOT NULL OFFSET 0
  ) g CROSS JOIN LATERAL (${activePersonOf('g')}) AS person`

// A token with a `user_id` acts as this user.
const loadToken = callerLoader<TokenGrant & InstallationKey & { id: string; actsAsPerson: boolean }>(
  (hashes) => Prisma.sql`
    SELECT wanted.hash AS id, i.workspace_id AS "workspaceID", i.app_id AS "appID",
      coalesce(t.user_id, i.user_id) AS "userID", t.user_id IS NOT NULL AS "actsAsPerson", t.scopes,
      CASE WHEN t.user_id IS NULL THEN i.scopes ELSE t.scopes END AS "installedScopes"
    FROM unnest(${hashes}::text[]) AS wanted (hash)
    CROSS JOIN LATERAL (
      SELECT * FROM access_tokens WHERE token_hash = decode(wanted.hash, 'hex') OFFSET 0
    ) t JOIN installations i ON i.workspace_id = t.workspace_id AND i.app_id = t.app_id
    LEFT JOIN LATERAL (${activePerson}) AS person ON TRUE
    WHERE t.expires_at > now() AND i.uninstalled_at IS NULL AND (t.user_id IS NULL OR person.id IS NOT NULL)`,
)

function hashOf(token: string): string {
  return hashSecret(token).toString('hex')
}

/** Revokes an app's tokens and grants in a workspace. Returns how many tokens were valid. Call it in a transaction. */
export async function deleteAccessTokens(
  db: Database,
  { workspaceID, appID }: InstallationKey,
): Promise<number> {
  // Deleting a grant locks the grant and then its tokens. The same order here prevents deadlocks.
  await query(
    db,
    Prisma.sql`
    SELECT FROM grants WHERE workspace_id = ${workspaceID} AND app_id = ${appID} ORDER BY id FOR UPDATE`,
  )
  const deleted = await query<{ alive: boolean }>(
    db,
    Prisma.sql`
    DELETE FROM access_tokens WHERE workspace_id = ${workspaceID} AND app_id = ${appID}
    RETURNING expires_at > now() AS alive`,
  )
  await db.grant.deleteMany({ where: { workspaceID, appID } })
  return deleted.filter((token) => token.alive).length
}

/** Deletes expired tokens. Several processes can run it: each skips rows that another has locked. */
export async function sweepAccessTokens(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM access_tokens WHERE (workspace_id, token_hash) IN (
      SELECT workspace_id, token_hash FROM access_tokens WHERE expires_at < now() FOR UPDATE SKIP LOCKED)`
}
