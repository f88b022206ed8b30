import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type EncryptionKeys, encryptionKeyBytes } from './encryption.ts'
import { readOrCreateSecretFile } from './secret-file.ts'

type KeySettings = {
  encryptionKey: Buffer | undefined
  previousEncryptionKey: Buffer | undefined
  databaseURL: string | undefined
  dataDir: string
}

const known = new WeakMap<KeySettings, EncryptionKeys>()

/**
 * Returns the configured keys. With the embedded database, the default is a key in the data directory. Processes that
 * share a PostgreSQL server must be configured with the same key. Without it, they have none.
 */
export function findEncryptionKeys(settings: KeySettings): EncryptionKeys | undefined {
  const keys = known.get(settings) ?? readKeys(settings)
  if (keys) known.set(settings, keys)
  return keys
}

function readKeys(settings: KeySettings): EncryptionKeys | undefined {
  const { encryptionKey: current, previousEncryptionKey: previous, databaseURL, dataDir } = settings
  if (current) return { current, previous }
  if (databaseURL !== undefined) return undefined
  return { current: keyOfFile(join(dataDir, 'encryption-key')) }
}

function keyOfFile(path: string): Buffer {
  const text = readOrCreateSecretFile(path, () => randomBytes(encryptionKeyBytes).toString('base64'))
  const key = Buffer.from(text, 'base64')
  if (key.length === encryptionKeyBytes) return key
  throw new Error(`The file ${path} does not contain ${encryptionKeyBytes} bytes in base64.`)
}
