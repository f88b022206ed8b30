import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { linkMinutes, signInPath } from './sign-in-links.ts'

const most = 3
const minutes = 15

/**
 * Creates the sign-in link to mail to an address, and returns its path. Replaces the link that was mailed before. Throws if
 * three were mailed in the last 15 minutes.
 */
export async function createMailedLink(db: Database, email: string): Promise<string> {
  const code = newSecret()
  // Keeps the last three times. Therefore the first of them decides, if there are three.
  const created = await query(
    db,
    Prisma.sql`
    INSERT INTO sign_in_links AS l (code_hash, email, proves_email, expires_at, mailed_at)
    VALUES (${hashSecret(code)}, lower(${email}), TRUE, now() + make_interval(mins => ${linkMinutes}),
      ARRAY[clock_timestamp()])
    ON CONFLICT (email) WHERE mailed_at IS NOT NULL DO UPDATE SET
      code_hash = excluded.code_hash, expires_at = excluded.expires_at, created_at = excluded.created_at,
      mailed_at = (l.mailed_at || excluded.mailed_at)[greatest(1, cardinality(l.mailed_at) + 2 - ${most}::integer):]
    WHERE cardinality(l.mailed_at) < ${most}::integer
      OR l.mailed_at[1] <= clock_timestamp() - make_interval(mins => ${minutes})
    RETURNING email`,
  )
  if (created.length > 0) return signInPath(code)
  throw await tooMany(db, email)
}

async function tooMany(db: Database, email: string): Promise<AppError> {
  const [wait] = await query<{ seconds: number }>(
    db,
    Prisma.sql`
    SELECT greatest(1, ceil(extract(epoch FROM
      mailed_at[1] + make_interval(mins => ${minutes}) - clock_timestamp())))::integer AS seconds
    FROM sign_in_links WHERE email = lower(${email}) AND mailed_at IS NOT NULL`,
  )
  const seconds = wait?.seconds ?? 1
  return new AppError(
    'rate_limited',
    `At most ${most} sign-in links can be mailed to a person in ${minutes} minutes. Try again in ${Math.ceil(seconds / 60)} min.`,
    { retryAfterSeconds: seconds, limit: { name: 'mailed-links', max: most } },
  )
}
