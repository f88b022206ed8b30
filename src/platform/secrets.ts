import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, URL-safe (`A-Za-z0-9_-`): a client secret or the key of a webhook. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** 256 random bits in 64 hexadecimal characters: an access token. */
export function newToken(): string {
  return randomBytes(32).toString('hex')
}

/** What is stored of a secret. A fast hash will do, since nobody can try out 256 random bits. */
export function hashSecret(secret: string): Buffer<ArrayBuffer> {
  return hash('sha256', secret, 'buffer') as Buffer<ArrayBuffer>
}

/** Compares in constant time. An absent hash costs the same and never matches. */
export function secretMatches(secret: string, hash: Uint8Array | undefined): boolean {
  const given = hashSecret(secret)
  return timingSafeEqual(given, hash ?? hashSecret(newSecret())) && hash !== undefined
}
