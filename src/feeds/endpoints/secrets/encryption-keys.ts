import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { cachedPerConfig } from '../../../config.ts'
import { conflict } from '../../../errors.ts'
import { type EncryptionKeys, encryptionKeyBytes } from '../../../platform/secrets/encryption.ts'
import { readOrCreateSecretFile } from '../../../platform/secrets/secret-file.ts'

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
