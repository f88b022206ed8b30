import type { Context } from '../context.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'

/** The parts of the service that the sign-in pages use. */
export type SignInParts = Pick<Context, 'db' | 'config'> & { rateLimits: RateLimits }
