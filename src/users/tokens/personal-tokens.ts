import { audited } from '../../audit/record.ts'
import type { Context, UserActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { callerLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { type PersonalAccessToken, Prisma } from '../../generated/prisma/client.ts'
import { hashSecret } from '../../platform/secrets/secrets.ts'
import { isScope } from '../../scopes.ts'
import { activePersonOf } from '../active-person.ts'
import { personalTokenColumns } from '../rows.ts'
import type { TokenOwner } from './create-personal-token.ts'

const keptDays = 30

/** Returns the valid tokens of a person, in order of creation. A person has at most 50. */
export function listPersonalTokens(
  db: Database,
  { workspaceID, userID }: TokenOwner,
): Promise<PersonalAccessToken[]> {
  return query<PersonalAccessToken>(
    db,
    Prisma.sql`
    SELECT ${personalTokenColumns} FROM personal_access_tokens p
    WHERE p.workspace_id = ${workspaceID} AND p.user_id = ${userID} AND p.expires_at > now()
      AND EXISTS (${activePersonOf('p')})
    ORDER BY p.id`,
  )
}

/** Revokes a token of the person who calls. Throws if the person has no such token. */
export async function revokePersonalToken(ctx: Context<UserActor>, id: string): Promise<void> {
  const { workspaceID, userID } = ctx.actor
  await audited(
    ctx,
    async ({ db }) => {
      const [revoked] = await query<Pick<PersonalAccessToken, 'id' | 'name'>>(
        db,
        Prisma.sql`
        DELETE FROM personal_access_tokens WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND id = ${id}
        RETURNING id, name`,
      )
      if (!revoked) throw notFound('personal access token')
      return revoked
    },
    (object) => ({ action: 'revokePersonalAccessToken', workspaceID, object }),
  )
}

export async function sweepPersonalTokens(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM personal_access_tokens WHERE expires_at < now() - make_interval(days => ${keptDays})`
}

/** The time of the last use is stored at most this often, so that most requests do not write. */
const storedEveryMinutes = 10

type FoundToken = TokenOwner & { id: string; tokenID: string; scopes: string[]; isStale: boolean }

/** Returns the person of a personal access token, with the scopes of the token. Each call counts as a use. */
export async function findPersonalActor(db: Database, token: string): Promise<UserActor | undefined> {
  const found = await loadToken(db, hashSecret(token).toString('hex'))
  if (!found) return undefined
  const { workspaceID, userID, tokenID, scopes, isStale } = found
  if (isStale) await recordUse(db, found)
  return { kind: 'user', workspaceID, userID, scopes: new Set(scopes.filter(isScope)), programID: tokenID }
}

const loadToken = callerLoader<FoundToken>(
  (hashes) => Prisma.sql`
    SELECT wanted.hash AS id, p.workspace_id AS "workspaceID", p.id AS "tokenID", p.user_id AS "userID", p.scopes,
      p.last_used_at IS NULL OR p.last_used_at < now() - make_interval(mins => ${storedEveryMinutes}) AS "isStale"
    FROM unnest(${hashes}::text[]) AS wanted (hash)
    CROSS JOIN LATERAL (
      SELECT * FROM personal_access_tokens WHERE token_hash = decode(wanted.hash, 'hex') OFFSET 0
    ) p CROSS JOIN LATERAL (${activePersonOf('p')}) AS person
    WHERE p.expires_at > now()`,
)

async function recordUse(db: Database, { workspaceID, tokenID }: FoundToken): Promise<void> {
  await db.$executeRaw`
    UPDATE personal_access_tokens SET last_used_at = now() WHERE workspace_id = ${workspaceID} AND id = ${tokenID}`
}
