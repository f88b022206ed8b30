import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const keyBytes = 32

/** Derives a key for one purpose from a secret that serves several purposes (HKDF, RFC 5869). */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes))
}

/** Returns a URL-safe signature of these texts (HMAC-SHA256, RFC 2104). */
export function sign(key: Buffer, texts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url')
}

/** Compares in constant time. */
export function verifySignature(signature: string, key: Buffer, texts: readonly string[]): boolean {
  const [known, tried] = [Buffer.from(sign(key, texts)), Buffer.from(signature)]
  return known.length === tried.length && timingSafeEqual(known, tried)
}
