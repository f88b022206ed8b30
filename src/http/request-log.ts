import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers are logged at the level debug, unless their status is 500 or higher. */
    quiet?: boolean
  }
  interface FastifyRequest {
    logFields: LogFields | null
  }
}

/** Fields of a request's line in the log: IDs and names, never a secret. */
export type LogFields = {
  address?: string | undefined
  /** The name of the operator token. */
  operator?: string
  appID?: string
  /** The user to whom a signed link was given. */
  userID?: string
  webhookID?: string
  workspaceID?: string
  operation?: string | undefined
  operationType?: string
  code?: string
}

export function addToLog(request: FastifyRequest, more: LogFields): void {
  request.logFields = Object.assign(request.logFields ?? {}, more)
}

/** Logs a request. Streams call this if the client disconnects, because Fastify then does not call `onResponse`. */
export function logResponse({ request, statusCode: status, elapsedTime }: FastifyReply): void {
  const { method, routeOptions, logFields } = request
  const level = routeOptions.config.quiet && status < 500 ? 'debug' : 'info'
  const ms = Math.round(elapsedTime * 10) / 10
  request.log[level]({ method, route: routeOptions.url ?? null, status, ms, ...logFields }, 'request')
}

/** Logs one line for each request, with the route and not the URL, because a webhook's URL contains its key. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('logFields', null)
  app.addHook('onRequest', (request, _reply, done) => {
    // Reads the address now, because a connection that has ended has no address.
    request.logFields = { address: request.ip }
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    logResponse(reply)
    done()
  })
  app.addHook('onRequestAbort', async ({ method, routeOptions, logFields, log }) => {
    log.info({ method, route: routeOptions.url ?? null, status: null, ...logFields }, 'request aborted')
  })
}
