import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** The key that encrypts, and the key that it replaced. */
export type EncryptionKeys = { current: Buffer; previous?: Buffer | undefined }

export const encryptionKeyBytes = 32
const algorithm = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]

/** Encrypts a text (AES-256-GCM). It can be decrypted only with the same context, such as the ID of its row. */
export function encrypt(text: string, context: string, { current }: EncryptionKeys): Buffer<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, current, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Throws if neither of the keys decrypts the bytes in this context. */
export function decrypt(bytes: Uint8Array, context: string, { current, previous }: EncryptionKeys): string {
  try {
    return decryptWith(current, bytes, context)
  } catch (error) {
    if (previous) return decryptWith(previous, bytes, context)
    throw error
  }
}

function decryptWith(key: Buffer, bytes: Uint8Array, context: string): string {
  const end = bytes.length - tagBytes
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(end))
  return decipher.update(bytes.subarray(nonceBytes, end), undefined, 'utf8') + decipher.final('utf8')
}
