import { randomBytes } from 'node:crypto'
import { requireEncryptionKeys } from '../../../apps/webhooks/signature-secret.ts'
import type { Config } from '../../../config.ts'
import type { EventEndpoint } from '../../../generated/prisma/client.ts'
import { decrypt, type EncryptionKeys, encrypt } from '../../../platform/secrets/encryption.ts'

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

export function encryptionKeysOf(config: Config): EncryptionKeys {
  return requireEncryptionKeys(config, 'Event endpoints')
}
