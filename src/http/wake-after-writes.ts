import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a POST changed nothing, for example because it was a GraphQL query. */
    isRead: boolean
  }
}

/** Calls `wake` after each request that may have changed something. */
export function wakeAfterWrites(app: FastifyInstance, wake: () => void): void {
  app.decorateRequest('isRead', false)
  app.addHook('onResponse', async ({ method, isRead }, { statusCode }) => {
    if (method !== 'GET' && method !== 'HEAD' && !isRead && statusCode < 400) wake()
  })
}
