import { RateLimits } from '../../src/http/rate-limits/rate-limits.ts'

/** Options of a GraphQL transport on which a test says nothing of shares and quotas. */
export const unlimited = {
  operationsAtOnce: 8,
  rateLimits: new RateLimits(),
  quotas: { installation: 0, workspace: 0 },
}
