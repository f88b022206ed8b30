import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns 256 random bits, URL-safe (`A-Za-z0-9_-`), for a secret such as a webhook key. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function newToken(): string {
  return randomBytes(32).toString('hex')
}

/** Returns the hash to store instead of a secret. A fast hash is enough, because nobody can guess 256 random bits. */
export function hashSecret(secret: string): Buffer<ArrayBuffer> {
  return hash('sha256', secret, 'buffer') as Buffer<ArrayBuffer>
}

/** Compares in constant time. An undefined hash takes the same time and never matches. */
export function secretMatches(secret: string, hash: Uint8Array | undefined): boolean {
  const hashed = hashSecret(secret)
  return timingSafeEqual(hashed, hash ?? hashSecret(newSecret())) && hash !== undefined
}
