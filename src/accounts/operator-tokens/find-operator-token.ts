import type { OperatorActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { callerLoader } from '../../database/loader.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { hashSecret } from '../../platform/secrets/secrets.ts'

/** The beginning of every named token. Look-ups and secret scanners recognize the token by this prefix. */
export const operatorTokenPrefix = 'skop_'
/** The name of the first operator token. That token itself is in the settings or in the data directory. */
export const firstTokenName = 'default'
/** The time of the last use is stored at most this often, so that most requests do not write. */
const storedEveryMinutes = 10

type FoundToken = { id: string; tokenID: string; name: string; isStale: boolean }

/** Returns the operator of a named token that has not expired. Each call counts as a use of the token. */
export async function findOperatorToken(db: Database, token: string): Promise<OperatorActor | undefined> {
  if (!token.startsWith(operatorTokenPrefix)) return undefined
  const found = await loadToken(db, hashSecret(token).toString('hex'))
  if (!found) return undefined
  if (found.isStale) await recordUse(db, found.tokenID)
  return { kind: 'operator', tokenName: found.name }
}

const loadToken = callerLoader<FoundToken>(
  (hashes) => Prisma.sql`
    SELECT wanted.hash AS id, o.id AS "tokenID", o.name,
      o.last_used_at IS NULL OR o.last_used_at < now() - make_interval(mins => ${storedEveryMinutes}) AS "isStale"
    FROM unnest(${hashes}::text[]) AS wanted (hash)
    CROSS JOIN LATERAL (
      SELECT * FROM operator_tokens WHERE token_hash = decode(wanted.hash, 'hex') OFFSET 0
    ) o
    WHERE o.expires_at IS NULL OR o.expires_at > now()`,
)

async function recordUse(db: Database, id: string): Promise<void> {
  await db.$executeRaw`UPDATE operator_tokens SET last_used_at = now() WHERE id = ${id}`
}
