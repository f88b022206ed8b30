import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a POST changed nothing, for example because it was a GraphQL query. */
    isRead: boolean
  }
}

/** Calls `wake` after each request that may have changed something. */
export function wakeAfterWrites(app: FastifyInstance, wake: (request: FastifyRequest) => void): void {
  app.decorateRequest('isRead', false)
  app.addHook('onResponse', async (request, { statusCode }) => {
    const { method, isRead } = request
    if (method !== 'GET' && method !== 'HEAD' && !isRead && statusCode < 400) wake(request)
  })
}
