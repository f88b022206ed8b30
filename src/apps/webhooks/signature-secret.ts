import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { CachedWebhook, Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { decrypt, type EncryptionKeys, encrypt } from '../../platform/secrets/encryption.ts'
import { findEncryptionKeys } from '../../platform/secrets/encryption-keys.ts'

const rule = 'must have 16 to 255 characters: letters, digits and punctuation of ASCII, without spaces'
const webhooksPerStep = 100

/** A secret that a sender can also send in a header. */
export const signatureSecret = z.string().regex(/^[!-~]{16,255}$/, rule)

/** Encrypts the secret for the row of its webhook. Null and undefined stay as they are. */
export function encryptSignatureSecret<None extends null | undefined>(
  config: Config,
  webhookID: string,
  secret: string | None,
): Buffer<ArrayBuffer> | None {
  if (typeof secret !== 'string') return secret
  return encrypt(secret, webhookID, requireEncryptionKeys(config, 'Signature secrets'))
}

/** Throws if the secret was encrypted with a key that is not configured. Then no call can be verified. */
export function decryptSignatureSecret(
  config: Config,
  { id, signatureSecret }: CachedWebhook,
): string | null {
  if (signatureSecret === null) return null
  const keys = findEncryptionKeys(config)
  if (!keys) throw new Error('The secret of a webhook cannot be decrypted, because ENCRYPTION_KEY is not set')
  return decrypt(signatureSecret, id, keys)
}

/** Returns the keys of `findEncryptionKeys`. Throws if there are none. `what` needs them. */
export function requireEncryptionKeys(config: Config, what: string): EncryptionKeys {
  const keys = findEncryptionKeys(config)
  if (keys) return keys
  throw conflict(
    'encryption_key_missing',
    `${what} require an encryption key. Set ENCRYPTION_KEY to the same 32 random bytes for all processes.`,
  )
}

/** Encrypts the secrets of all webhooks with the current key. Skips secrets that it cannot decrypt. */
export async function reencryptSignatureSecrets(
  { db }: Context,
  keys: EncryptionKeys,
): Promise<{ webhookCount: number; failedCount: number }> {
  const counts = { webhookCount: 0, failedCount: 0 }
  let after = ''
  for (;;) {
    const webhooks = await db.webhook.findMany({
      where: { id: { gt: after }, signatureSecret: { not: null } },
      select: { workspaceID: true, id: true, signatureSecret: true },
      orderBy: { id: 'asc' },
      take: webhooksPerStep,
    })
    for (const { workspaceID, id, signatureSecret } of webhooks) {
      const again = signatureSecret && reencrypted(signatureSecret, id, keys)
      // Changes nothing if a manager has set another secret since, because that is encrypted with the current key.
      const where = { workspaceID, id, signatureSecret }
      if (!again) counts.failedCount += 1
      else
        counts.webhookCount += (
          await db.webhook.updateMany({ where, data: { signatureSecret: again } })
        ).count
    }
    after = webhooks.at(-1)?.id ?? after
    if (webhooks.length < webhooksPerStep) return counts
  }
}

function reencrypted(bytes: Uint8Array, id: string, keys: EncryptionKeys): Buffer<ArrayBuffer> | undefined {
  try {
    return encrypt(decrypt(bytes, id, keys), id, keys)
  } catch {
    return undefined
  }
}
