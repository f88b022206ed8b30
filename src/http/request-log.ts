import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers of this route are logged at the level debug, unless they are failures of the service. */
    quiet?: boolean
  }
}

/** What a request's line in the log says about who called and what came of it: IDs and names, never a secret. */
export type LogFields = {
  address?: string | undefined
  /** The caller has the operator's token. */
  operator?: true
  appID?: string
  webhookID?: string
  workspaceID?: string
  /** The name of a GraphQL operation. */
  operation?: string | undefined
  operationType?: string
  /** The error's code, as the caller sees it. */
  code?: string
}

const fields = Symbol('fields')
type Logged = IncomingMessage & { [fields]?: LogFields }

/** Adds to what the line of a request will say. */
export function addToLog({ raw }: Pick<FastifyRequest, 'raw'>, more: LogFields): void {
  const logged: Logged = raw
  logged[fields] = Object.assign(logged[fields] ?? {}, more)
}

/** Writes one line for each request, with its route and not its URL: a webhook's URL holds its key. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // A connection that has ended does not know its address any more.
    addToLog(request, { address: request.ip })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const level = request.routeOptions.config.quiet && status < 500 ? 'debug' : 'info'
    const ms = Math.round(elapsedTime * 10) / 10
    request.log[level]({ ...placeOf(request), status, ms, ...fieldsOf(request) }, 'request')
    done()
  })
  app.addHook('onRequestAbort', async (request) => {
    request.log.info({ ...placeOf(request), status: null, ...fieldsOf(request) }, 'request aborted')
  })
}

function placeOf({ method, routeOptions }: FastifyRequest) {
  return { method, route: routeOptions.url ?? null }
}

function fieldsOf({ raw }: FastifyRequest): LogFields | undefined {
  return (raw as Logged)[fields]
}
