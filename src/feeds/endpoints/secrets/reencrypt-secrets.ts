import { type Context, requireOperator } from '../../../context.ts'
import type { EventEndpoint } from '../../../generated/prisma/client.ts'
import { decrypt, type EncryptionKeys, encrypt } from '../../../platform/encryption.ts'
import { encryptionKeysOf } from './encryption-keys.ts'

const endpointsPerStep = 100

/** Encrypts the secrets of all endpoints with the present key, in steps. Returns the number of endpoints. */
export async function reencryptEventSecrets(ctx: Context): Promise<number> {
  requireOperator(ctx)
  const keys = encryptionKeysOf(ctx.config)
  let [count, after] = [0, '']
  for (;;) {
    const endpoints = await ctx.db.eventEndpoint.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: endpointsPerStep,
    })
    for (const endpoint of endpoints) count += await reencrypt(ctx, endpoint, keys)
    after = endpoints.at(-1)?.id ?? after
    if (endpoints.length < endpointsPerStep) return count
  }
}

// Changes nothing if the secret was rotated since it was read. Then it has the present key.
async function reencrypt(
  { db }: Context,
  { workspaceID, id, secret, previousSecret }: EventEndpoint,
  keys: EncryptionKeys,
): Promise<number> {
  const again = (bytes: Uint8Array) => encrypt(decrypt(bytes, id, keys), id, keys)
  const { count } = await db.eventEndpoint.updateMany({
    where: { workspaceID, id, secret },
    data: { secret: again(secret), ...(previousSecret && { previousSecret: again(previousSecret) }) },
  })
  return count
}
