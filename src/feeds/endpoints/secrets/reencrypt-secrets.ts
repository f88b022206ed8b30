import { reencryptSignatureSecrets } from '../../../apps/webhooks/signature-secret.ts'
import { record } from '../../../audit/record.ts'
import { type Context, requireOperator } from '../../../context.ts'
import type { EventEndpoint } from '../../../generated/prisma/client.ts'
import { decrypt, type EncryptionKeys, encrypt } from '../../../platform/secrets/encryption.ts'
import { encryptionKeysOf } from './endpoint-secrets.ts'

const endpointsPerStep = 100

type Reencryption = { endpointCount: number; webhookCount: number; failedCount: number }

/** Encrypts the secrets of all endpoints and webhooks with the current key. Skips secrets that it cannot decrypt. */
export async function reencryptEventSecrets(ctx: Context): Promise<Reencryption> {
  requireOperator(ctx)
  const keys = encryptionKeysOf(ctx.config)
  // Each step is committed by itself. Therefore the entry comes before the first one.
  await record(ctx, { action: 'reencryptEventSecrets' })
  const counts = { endpointCount: 0, ...(await reencryptSignatureSecrets(ctx, keys)) }
  let after = ''
  for (;;) {
    const endpoints = await ctx.db.eventEndpoint.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: endpointsPerStep,
    })
    for (const endpoint of endpoints) {
      const again = reencrypted(endpoint, keys)
      if (again) counts.endpointCount += await store(ctx, endpoint, again)
      else counts.failedCount += 1
    }
    after = endpoints.at(-1)?.id ?? after
    if (endpoints.length < endpointsPerStep) return counts
  }
}

type Secrets = { secret: Buffer<ArrayBuffer>; previousSecret?: Buffer<ArrayBuffer> }

function reencrypted(
  { id, secret, previousSecret }: EventEndpoint,
  keys: EncryptionKeys,
): Secrets | undefined {
  const again = (bytes: Uint8Array) => encrypt(decrypt(bytes, id, keys), id, keys)
  try {
    return { secret: again(secret), ...(previousSecret && { previousSecret: again(previousSecret) }) }
  } catch {
    return undefined
  }
}

// Changes nothing if the secret was rotated after it was read, because rotation encrypts with the current key.
async function store(
  { db }: Context,
  { workspaceID, id, secret }: EventEndpoint,
  data: Secrets,
): Promise<number> {
  return (await db.eventEndpoint.updateMany({ where: { workspaceID, id, secret }, data })).count
}
