import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers of this route are logged at the level debug, unless they are failures of the service. */
    quiet?: boolean
  }
  interface FastifyRequest {
    logFields: LogFields | null
  }
}

/** What a request's line in the log says about who called and what came of it: IDs and names, never a secret. */
export type LogFields = {
  address?: string | undefined
  /** The caller has the operator's token. */
  operator?: true
  appID?: string
  /** The user who was given a signed link. */
  userID?: string
  webhookID?: string
  workspaceID?: string
  /** The name of a GraphQL operation. */
  operation?: string | undefined
  operationType?: string
  /** The error's code, as the caller sees it. */
  code?: string
}

/** Adds to what the line of a request will say. */
export function addToLog(request: FastifyRequest, more: LogFields): void {
  request.logFields = Object.assign(request.logFields ?? {}, more)
}

/** Writes one line for each request, with its route and not its URL: a webhook's URL holds its key. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('logFields', null)
  app.addHook('onRequest', (request, _reply, done) => {
    // A connection that has ended does not know its address any more.
    request.logFields = { address: request.ip }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, logFields } = request
    const { statusCode: status, elapsedTime } = reply
    const level = routeOptions.config.quiet && status < 500 ? 'debug' : 'info'
    const ms = Math.round(elapsedTime * 10) / 10
    request.log[level]({ method, route: routeOptions.url ?? null, status, ms, ...logFields }, 'request')
    done()
  })
  app.addHook('onRequestAbort', async ({ method, routeOptions, logFields, log }) => {
    log.info({ method, route: routeOptions.url ?? null, status: null, ...logFields }, 'request aborted')
  })
}
