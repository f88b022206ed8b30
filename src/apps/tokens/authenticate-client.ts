import { LRUCache } from 'lru-cache'
import type { Database } from '../../database/database.ts'
import { callerLoader } from '../../database/loader.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'
import { secretMatches } from '../../platform/secrets/secrets.ts'

/** A public app has no secret. */
export type Client = { id: string; secretHash: Uint8Array | null; redirectURIs: string[] }

const cachedHashes = new LRUCache<string, Uint8Array>({ max: 10_000 })

/** Returns whether the secret matches the cached hash. `authenticateClient` looks up the current hash. */
export function isKnownClientSecret(clientID: string, clientSecret: string): boolean {
  return secretMatches(clientSecret, cachedHashes.get(clientID))
}

/** Returns the app with this ID and secret. For an unknown ID, compares hashes too, so that the time is similar. */
export async function authenticateClient(
  db: Database,
  clientID: string,
  clientSecret: string,
): Promise<Client | undefined> {
  const client = await findClient(db, clientID)
  if (client) cacheClient(client)
  else cachedHashes.delete(clientID)
  return secretMatches(clientSecret, client?.secretHash ?? undefined) ? client : undefined
}

export async function findPublicClient(db: Database, clientID: string): Promise<Client | undefined> {
  const client = await findClient(db, clientID)
  return client?.secretHash === null ? client : undefined
}

async function findClient(db: Database, id: string): Promise<Client | undefined> {
  return prefixOf(id) === 'app' ? loadClient(db, id) : undefined
}

/** Caches an app. This process then accepts its secret even if the limit on wrong guesses is exceeded. */
export function cacheClient({ id, secretHash }: Pick<Client, 'id' | 'secretHash'>): void {
  if (secretHash) cachedHashes.set(id, secretHash)
}

const loadClient = callerLoader<Client>(
  (ids) => Prisma.sql`
    SELECT a.id, a.secret_hash AS "secretHash", ARRAY(
      SELECT r.uri FROM redirect_uris r WHERE r.workspace_id = a.workspace_id AND r.app_id = a.id) AS "redirectURIs"
    FROM apps a WHERE a.id = ANY(${ids}::text[]) AND a.deleted_at IS NULL`,
)
