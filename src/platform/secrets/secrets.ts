import { hash, randomFillSync, timingSafeEqual } from 'node:crypto'

// Fetches random bytes for many secrets at once, because one call costs more than the rest of creating a token.
const bytesPerSecret = 32
const random = Buffer.alloc(64 * bytesPerSecret)
let used = random.length

/** Returns 256 random bits, URL-safe (`A-Za-z0-9_-`), for a secret such as a webhook key. */
export function newSecret(): string {
  return randomText('base64url')
}

export function newToken(): string {
  return randomText('hex')
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

function randomText(encoding: 'base64url' | 'hex'): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const bytes = random.subarray(used, used + bytesPerSecret)
  used += bytesPerSecret
  const text = bytes.toString(encoding)
  bytes.fill(0)
  return text
}
