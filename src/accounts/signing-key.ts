import type { Database } from '../database/database.ts'
import { newSecret } from '../platform/secrets/secrets.ts'

/** Returns the key that signs the links to files and the cookies of browsers that signed in. Creates it if necessary. */
export async function readSigningKey(db: Database): Promise<string> {
  // Reads first, because nothing can be written to a standby.
  const known = await db.signingKey.findFirst()
  if (known) return known.secret
  await db.$executeRaw`INSERT INTO signing_keys (id, secret) VALUES (1, ${newSecret()}) ON CONFLICT (id) DO NOTHING`
  return (await db.signingKey.findFirstOrThrow()).secret
}
