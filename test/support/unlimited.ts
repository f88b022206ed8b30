import { OperationsAtOnce } from '../../src/graphql/limits/operations-at-once.ts'
import { OpenStreams } from '../../src/graphql/subscriptions/open-streams.ts'
import { RateLimits } from '../../src/http/rate-limits/rate-limits.ts'

/** Options of the GraphQL transport, without quotas and subscriptions. */
export const unlimited = {
  path: '/public/graphql',
  maxBodyBytes: 1024 * 1024,
  timeoutSeconds: 30,
  operationsAtOnce: new OperationsAtOnce(8),
  openStreams: new OpenStreams({ each: 0, total: 0 }),
  messagesPerSecond: 0,
  subscriptions: { fields: {}, isFarewell: () => false },
  rateLimits: new RateLimits(),
  quotas: { installation: 0, workspace: 0 },
}
