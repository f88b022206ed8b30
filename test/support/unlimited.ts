import { OperationsAtOnce } from '../../src/graphql/limits/operations-at-once.ts'
import { RateLimits } from '../../src/http/rate-limits/rate-limits.ts'

/** Options of the GraphQL transport, without quotas. */
export const unlimited = {
  operationsAtOnce: new OperationsAtOnce(8),
  rateLimits: new RateLimits(),
  quotas: { installation: 0, workspace: 0 },
}
