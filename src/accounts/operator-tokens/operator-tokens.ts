import { z } from 'zod'
import { audited } from '../../audit/record.ts'
import { type Context, requireOperator } from '../../context.ts'
import { query } from '../../database/query.ts'
import { AppError, invalidField, notFound } from '../../errors.ts'
import { type OperatorToken, Prisma } from '../../generated/prisma/client.ts'
import { name, parseInput } from '../../input.ts'
import { newID } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { operatorTokenColumns } from '../rows.ts'
import { firstTokenName, operatorTokenPrefix } from './find-operator-token.ts'

const days = 'must be a whole number of days from 1 to 3,660'
const createInput = z.object({
  name,
  expiresInDays: z.number(days).int(days).min(1, days).max(3660, days).nullish(),
})
const revokeInput = z.object({ name })

/** Creates a named token of the operator. Only this result contains the secret. */
export async function createOperatorToken(
  ctx: Context,
  input: z.input<typeof createInput>,
): Promise<{ token: string; operatorToken: OperatorToken }> {
  requireOperator(ctx)
  // A leaked token must not create anything that outlives it.
  if ((ctx.actor.tokenName ?? firstTokenName) !== firstTokenName)
    throw new AppError('forbidden', 'Only the first operator token can create operator tokens.')
  const { name, expiresInDays } = parseInput(createInput, input)
  const token = `${operatorTokenPrefix}${newSecret()}`
  // The name of an expired token can be used again.
  const insert = async ({ db }: Context) => {
    await db.$executeRaw`DELETE FROM operator_tokens WHERE name = ${name} AND expires_at <= now()`
    const [operatorToken] = await query<OperatorToken>(
      db,
      Prisma.sql`
    INSERT INTO operator_tokens AS o (id, name, token_hash, expires_at)
    SELECT ${newID('opt')}, ${name}, ${hashSecret(token)}, now() + make_interval(days => ${expiresInDays ?? null}::integer)
    WHERE ${name} <> ${firstTokenName}
    ON CONFLICT (name) DO NOTHING RETURNING ${operatorTokenColumns}`,
    )
    if (!operatorToken) throw invalidField('name', 'is the name of another operator token')
    return operatorToken
  }
  const entryOf = (object: OperatorToken) => ({ action: 'createOperatorToken' as const, object })
  return { token, operatorToken: await audited(ctx, insert, entryOf) }
}

/** Returns the tokens that have not expired, in order of creation. */
export function listOperatorTokens(ctx: Context): Promise<OperatorToken[]> {
  requireOperator(ctx)
  return query<OperatorToken>(
    ctx.db,
    Prisma.sql`
    SELECT ${operatorTokenColumns} FROM operator_tokens o
    WHERE o.expires_at IS NULL OR o.expires_at > now() ORDER BY o.created_at, o.id`,
  )
}

export async function revokeOperatorToken(
  ctx: Context,
  input: z.input<typeof revokeInput>,
): Promise<OperatorToken> {
  requireOperator(ctx)
  const { name } = parseInput(revokeInput, input)
  return audited(
    ctx,
    async ({ db }) => {
      const [revoked] = await query<OperatorToken>(
        db,
        Prisma.sql`DELETE FROM operator_tokens o WHERE o.name = ${name} RETURNING ${operatorTokenColumns}`,
      )
      if (!revoked) throw notFound('operator token')
      return revoked
    },
    (object) => ({ action: 'revokeOperatorToken', object }),
  )
}
