import { RateLimits } from '../../src/http/rate-limits/rate-limits.ts'

/** Options of the GraphQL transport, without quotas. */
export const unlimited = {
  operationsAtOnce: 8,
  rateLimits: new RateLimits(),
  quotas: { installation: 0, workspace: 0 },
}
