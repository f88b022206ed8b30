import { randomBytes } from 'node:crypto'
import type { Config } from '../../../config.ts'
import { conflict } from '../../../errors.ts'
import type { EventEndpoint } from '../../../generated/prisma/client.ts'
import { decrypt, type EncryptionKeys, encrypt } from '../../../platform/secrets/encryption.ts'
import { findEncryptionKeys } from '../../../platform/secrets/encryption-keys.ts'

const secretBytes = 32

/** Returns a secret in the form of Standard Webhooks. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

export function encryptSecret(config: Config, endpointID: string, secret: string): Buffer<ArrayBuffer> {
  return encrypt(secret, endpointID, encryptionKeysOf(config))
}

/** Returns the valid secrets of an endpoint, the newest first. After a rotation, two secrets are valid for a day. */
export function validSecretsOf(
  config: Config,
  { id, secret, previousSecret, isPreviousSecretValid }: EventEndpoint & { isPreviousSecretValid: boolean },
): string[] {
  const keys = encryptionKeysOf(config)
  const valid = previousSecret && isPreviousSecretValid ? [secret, previousSecret] : [secret]
  return valid.map((bytes) => decrypt(bytes, id, keys))
}

/** Returns the keys of `findEncryptionKeys`. Throws if there are none. */
export function encryptionKeysOf(config: Config): EncryptionKeys {
  const keys = findEncryptionKeys(config)
  if (keys) return keys
  throw conflict(
    'encryption_key_missing',
    'Event endpoints require an encryption key. Set ENCRYPTION_KEY to the same 32 random bytes for all processes.',
  )
}
