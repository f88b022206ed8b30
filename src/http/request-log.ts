import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Distribution, gauge, histograms, shortTimes } from '../platform/metrics.ts'

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
type Durations = { [status: string]: Distribution | undefined }

const durationOf = histograms(
  'skein_http_request_duration_seconds',
  'The time from the headers of a request to the end of the answer.',
  {
    labelNames: ['route', 'method', 'status'],
    buckets: shortTimes,
  },
)
const inFlight = gauge('skein_http_requests_in_flight', 'The requests that are not answered yet.')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers are logged at the level debug, unless their status is 500 or higher. */
    quiet?: boolean
    /** The histograms of the route, for each method. */
    durations?: Record<string, Durations>
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
  /** The user as whom the caller acts, or to whom a signed link was given. */
  userID?: string
  /** The account of a person who signs in. */
  accountID?: string | undefined
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
  const durations = routeOptions.config.durations?.[method] ?? unknownRoute
  durations[Math.floor(status / 100)]?.observe(elapsedTime / 1000)
  request.log[level]({ method, route: routeOptions.url ?? null, status, ms, ...logFields }, 'request')
}

/** Logs one line for each request, with the route and not the URL, because a webhook's URL contains its key. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('logFields', null)
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, durations: durationsOf(route) }
  })
  app.addHook('onRequest', (request, reply, done) => {
    inFlight.inc()
    // Unlike `onResponse`, also emitted if the client disconnects.
    reply.raw.once('close', () => inFlight.dec())
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

function durationsOf({ url, method }: Pick<RouteOptions, 'url' | 'method'>): Record<string, Durations> {
  const ofMethod = (name: string): Durations =>
    Object.fromEntries(
      statusClasses.map((status) => [status[0], durationOf({ route: url, method: name, status })]),
    )
  return Object.fromEntries([method].flat().map((name) => [name, ofMethod(name)]))
}

// Any text can be a method. Therefore requests for which there is no route share a label.
const unknownRoute = durationsOf({ url: '', method: 'other' }).other ?? {}
