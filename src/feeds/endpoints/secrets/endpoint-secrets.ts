import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Config, cachedPerConfig } from '../../../config.ts'
import { conflict } from '../../../errors.ts'
import type { EventEndpoint } from '../../../generated/prisma/client.ts'
import {
  decrypt,
  type EncryptionKeys,
  encrypt,
  encryptionKeyBytes,
} from '../../../platform/secrets/encryption.ts'
import { readOrCreateSecretFile } from '../../../platform/secrets/secret-file.ts'

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

/**
 * Returns the configured keys. With the embedded database, the default is a key in the data directory. Processes that
 * share a PostgreSQL server must be configured with the same key.
 */
export const encryptionKeysOf = cachedPerConfig((config): EncryptionKeys => {
  const { encryptionKey: current, previousEncryptionKey: previous, databaseURL, dataDir } = config
  if (current) return { current, previous }
  if (databaseURL !== undefined)
    throw conflict(
      'encryption_key_missing',
      'Event endpoints require an encryption key. Set ENCRYPTION_KEY to the same 32 random bytes for all processes.',
    )
  return { current: keyOfFile(join(dataDir, 'encryption-key')) }
})

function keyOfFile(path: string): Buffer {
  const text = readOrCreateSecretFile(path, () => randomBytes(encryptionKeyBytes).toString('base64'))
  const key = Buffer.from(text, 'base64')
  if (key.length === encryptionKeyBytes) return key
  throw new Error(`The file ${path} does not contain ${encryptionKeyBytes} bytes in base64.`)
}
