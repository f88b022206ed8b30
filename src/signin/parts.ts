import type { Context } from '../context.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'

export type SignInParts = Pick<Context, 'db' | 'config'> & { rateLimits: RateLimits }
