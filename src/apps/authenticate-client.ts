import type { App } from '../generated/prisma/client.ts'
import type { Database } from '../platform/database.ts'
import { prefixOf } from '../platform/ids.ts'
import { secretMatches } from '../platform/secrets.ts'

/** The app whose ID and secret these are, or undefined: an unknown ID and a wrong secret take the same way. */
export async function authenticateClient(
  db: Database,
  clientID: string,
  clientSecret: string,
): Promise<App | undefined> {
  const app =
    prefixOf(clientID) === 'app' ? await db.app.findFirst({ where: { id: clientID, deletedAt: null } }) : null
  return secretMatches(clientSecret, app?.secretHash) ? (app ?? undefined) : undefined
}
