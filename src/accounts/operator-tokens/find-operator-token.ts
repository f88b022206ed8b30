import type { OperatorActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { hashSecret } from '../../platform/secrets.ts'

/** The beginning of every named token. By it, look-ups and secret scanners tell them from other tokens. */
export const operatorTokenPrefix = 'skop_'
/** The name of the token in the settings or in the data directory. */
export const firstTokenName = 'default'
/** The time of the last use is stored at most this often, so that most requests do not write. */
const storedEveryMinutes = 10

/** Returns the operator of a named token that has not expired. Counts as a use. */
export async function findOperatorToken(db: Database, token: string): Promise<OperatorActor | undefined> {
  if (!token.startsWith(operatorTokenPrefix)) return undefined
  const [found] = await query<{ id: string; name: string; isStale: boolean }>(
    db,
    Prisma.sql`
    SELECT id, name,
      last_used_at IS NULL OR last_used_at < now() - make_interval(mins => ${storedEveryMinutes}) AS "isStale"
    FROM operator_tokens WHERE token_hash = ${hashSecret(token)} AND (expires_at IS NULL OR expires_at > now())`,
  )
  if (!found) return undefined
  if (found.isStale)
    await db.$executeRaw`UPDATE operator_tokens SET last_used_at = now() WHERE id = ${found.id}`
  return { kind: 'operator', tokenName: found.name }
}
