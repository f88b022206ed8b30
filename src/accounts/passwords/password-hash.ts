import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { FairSlots } from '../../platform/scheduling/fair-slots.ts'

/**
 * 32 MB of memory and about 0.2 s of CPU time for each hash, as OWASP recommends for scrypt (RFC 7914). Most tests lower
 * it, because they hash more often than any installation.
 */
export const hashCost = { N: 2 ** 15, r: 8, p: 3 }
const maxmem = 64 * 1024 * 1024
const bytes = 32

// At most two hashes are computed at once, so that two of Node's four threads stay free for file access.
const slots = new FairSlots({ total: 2, each: 2 })

/** Returns the text to store: the parameters of scrypt, the salt and the hash. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return textOf(salt, await derive(password, salt, hashCost))
}

function textOf(salt: Buffer, hash: Buffer): string {
  const { N, r, p } = hashCost
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** What to compare with if an account has no stored hash. No password matches it. */
const dummy = { salt: randomBytes(16), hash: randomBytes(bytes) }

/** Compares in constant time. Without a stored hash, takes the same time and returns false. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt, hash] = (stored ?? textOf(dummy.salt, dummy.hash)).split('$')
  const expected = Buffer.from(hash ?? '', 'base64url')
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt ?? '', 'base64url'), options)
  return timingSafeEqual(derived, expected) && stored != null
}

// Normalizes the password, because keyboards can compose the same letter in different ways (NIST SP 800-63B).
async function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const release = await slots.acquire('password')
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, bytes, { ...options, maxmem }, (error, hash) =>
        error ? reject(error) : resolve(hash),
      )
    })
  } finally {
    release()
  }
}
