import { z } from 'zod'
import { lockSession, requireFreshSignIn, type SessionKey } from '../../accounts/sessions/session.ts'
import { record } from '../../audit/record.ts'
import type { Context, UserActor } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { conflict, notFound } from '../../errors.ts'
import { type PersonalAccessToken, Prisma, type User } from '../../generated/prisma/client.ts'
import { name, parseInput, scope } from '../../input.ts'
import { newID } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { personalTokenColumns } from '../rows.ts'

/** The beginning of every personal access token. Look-ups and secret scanners recognize the token by this prefix. */
export const personalTokenPrefix = 'skpt_'
const maxTokens = 50
const days = 'must be a whole number of days from 1 to 366'

const inputSchema = z.object({
  name,
  scopes: z
    .array(scope)
    .min(1, 'must have at least one scope')
    .transform((scopes) => [...new Set(scopes)]),
  expiresInDays: z.number(days).int(days).min(1, days).max(366, days),
})

export type TokenOwner = { workspaceID: string; userID: string }

export type CreatePersonalTokenResult = { accessToken: string; personalAccessToken: PersonalAccessToken }

/** Creates a token with which a person uses the API. Only this result contains its secret. */
export function createPersonalToken(
  ctx: Context<UserActor>,
  session: SessionKey,
  input: z.input<typeof inputSchema>,
): Promise<CreatePersonalTokenResult> {
  const { name, scopes, expiresInDays } = parseInput(inputSchema, input)
  const accessToken = `${personalTokenPrefix}${newSecret()}`
  const { workspaceID, userID } = ctx.actor
  return inTransaction(ctx.db, async (tx) => {
    const { id: accountID } = await lockSession(tx, session)
    await requireFreshSignIn(tx, session)
    await lockOwner(tx, { workspaceID, userID, accountID })
    const [personalAccessToken] = await query<PersonalAccessToken>(
      tx,
      Prisma.sql`
      INSERT INTO personal_access_tokens AS p (workspace_id, id, user_id, account_id, name, scopes, token_hash, expires_at)
      SELECT ${workspaceID}, ${newID('pat')}, ${userID}, ${accountID}, ${name}, ${scopes}::text[], ${hashSecret(accessToken)},
        now() + make_interval(days => ${expiresInDays})
      WHERE (
        SELECT count(*) FROM personal_access_tokens
        WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND expires_at > now()) < ${maxTokens}
      RETURNING ${personalTokenColumns}`,
    )
    if (!personalAccessToken)
      throw conflict('token_limit', `You have ${maxTokens} personal access tokens. Revoke one first.`)
    await record(
      { ...ctx, db: tx },
      {
        action: 'createPersonalAccessToken',
        workspaceID,
        object: personalAccessToken,
        details: { scopes, expiresInDays },
      },
    )
    return { accessToken, personalAccessToken }
  })
}

// Concurrent calls of one person wait for each other, so that they do not exceed the limit together.
async function lockOwner(
  tx: Database,
  { workspaceID, userID, accountID }: TokenOwner & { accountID: string },
): Promise<void> {
  const locked = await query<Pick<User, 'id'>>(
    tx,
    Prisma.sql`
    SELECT id FROM users WHERE workspace_id = ${workspaceID} AND id = ${userID} AND account_id = ${accountID} AND deleted_at IS NULL
    FOR NO KEY UPDATE`,
  )
  if (locked.length === 0) throw notFound('person')
}
