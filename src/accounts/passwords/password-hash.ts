import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { gauge, histogram } from '../../platform/metrics.ts'
import { FairSlots, TooManyWaiting, WaitedTooLong } from '../../platform/scheduling/fair-slots.ts'

/**
 * 32 MB of memory and about 0.2 s of CPU time for each hash, as OWASP recommends for scrypt (RFC 7914). Most tests lower
 * it, because they hash more often than any installation.
 */
export const hashCost = { N: 2 ** 15, r: 8, p: 3 }
const maxmem = 64 * 1024 * 1024
const bytes = 32

// At most two hashes are computed at once, so that two of Node's four threads stay free for file access.
// Callers take turns, and few attempts wait, so that nobody can make all others wait.
const slots = new FairSlots({ total: 2, each: 2, waiting: 4 })
const maxWaitingNetworks = 20
const maxWaitMs = 15_000
const retryAfterSeconds = 5
let waitingNetworks = 0

/** Who takes turns: a network, or the owner of an account in a browser that is known, who waits beside all networks. */
export type PasswordCaller = { network: string | undefined } | { owner: string }

const inQueue = gauge('skein_password_queue', 'The passwords that wait to be hashed.')
const waits = histogram('skein_password_wait_seconds', 'The time that a password waits to be hashed.')

/** Returns the text to store: the parameters of scrypt, the salt and the hash. */
export async function hashPassword(password: string, caller: PasswordCaller): Promise<string> {
  const salt = randomBytes(16)
  return textOf(salt, await derive(password, { salt, caller, ...hashCost }))
}

function textOf(salt: Buffer, hash: Buffer): string {
  const { N, r, p } = hashCost
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** What to compare with if an account has no stored hash. No password matches it. */
const dummy = { salt: randomBytes(16), hash: randomBytes(bytes) }

/** Compares in constant time. Without a stored hash, takes the same time and returns false. */
export async function passwordMatches(
  password: string,
  stored: string | null | undefined,
  caller: PasswordCaller,
): Promise<boolean> {
  const [, N, r, p, salt, hash] = (stored ?? textOf(dummy.salt, dummy.hash)).split('$')
  const expected = Buffer.from(hash ?? '', 'base64url')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, { salt: Buffer.from(salt ?? '', 'base64url'), caller, ...cost })
  return timingSafeEqual(derived, expected) && stored != null
}

async function acquire(caller: PasswordCaller): Promise<() => void> {
  try {
    if ('owner' in caller) return await slots.acquireWithin(maxWaitMs, `owner ${caller.owner}`)
    const key = `network ${caller.network}`
    const free = slots.tryAcquire(key)
    if (free) return free
    if (waitingNetworks >= maxWaitingNetworks) throw new TooManyWaiting()
    waitingNetworks += 1
    return await slots.acquireWithin(maxWaitMs, key).finally(() => {
      waitingNetworks -= 1
    })
  } catch (cause) {
    if (!(cause instanceof TooManyWaiting || cause instanceof WaitedTooLong)) throw cause
    const message = `Too many passwords are being checked. Try again in ${retryAfterSeconds} s.`
    throw new AppError('unavailable', message, { cause, retryAfterSeconds })
  }
}

type Derivation = { salt: Buffer; caller: PasswordCaller } & Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>

// Normalizes the password, because keyboards can compose the same letter in different ways (NIST SP 800-63B).
async function derive(password: string, { salt, caller, ...cost }: Derivation): Promise<Buffer> {
  const began = performance.now()
  inQueue.inc()
  const release = await acquire(caller).finally(() => inQueue.dec())
  waits.observeSince(began)
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, bytes, { ...cost, maxmem }, (error, hash) =>
        error ? reject(error) : resolve(hash),
      )
    })
  } finally {
    release()
  }
}
