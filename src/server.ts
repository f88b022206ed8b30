import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, type Server, STATUS_CODES } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify'
import type { Config } from './config.ts'
import { AppError } from './errors.ts'
import { pendingResponse, requestID } from './platform/http.ts'
import { problemOf, sendProblem } from './problems.ts'

const maxHeadersMs = 60_000
const checkConnectionsEveryMs = 1000
const drainMs = 500

const nothingThere = new AppError('not_found', 'There is nothing at this address.')

/** How Fastify is to behave: its own words, which echo the URL, are replaced by ours. */
export function serverOptions(config: Config): FastifyHttpOptions<Server> {
  const requestTimeout = config.requestTimeoutSeconds * 1000
  // Node exchanges the two time limits where that of the headers is the longer one.
  const headersTimeout = Math.min(maxHeadersMs, requestTimeout)
  return {
    trustProxy: config.trustProxy,
    requestTimeout,
    http: {
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: checkConnectionsEveryMs,
      requireHostHeader: false,
    },
    genReqId: (request) => requestID(request as never),
    requestIdHeader: false,
    logController: new LogController({ requestIdLogLabel: 'requestID', disableRequestLogging: true }),
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: answerUnreadable,
    // An address that cannot be decoded, or with a part that is too long.
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
      const { method, ip: address } = request
      const { status, code } = nothingThere
      request.log.info({ method, route: null, status, address, code }, 'request')
      sendProblem(nothingThere, request as never, reply as never)
    },
  }
}

/**
 * Before the server closes, it takes no more connections but keeps those it has for a while: Node would at once end
 * the ones that are idle, on which a client may be about to send. Meanwhile every answer ends its connection.
 */
export function drainBeforeClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const { server } = app
    NetServer.prototype.close.call(server)
    const connections = await promisify(server.getConnections).call(server)
    if (connections > 0) await sleep(drainMs)
  })
}

/** What is answered where nothing is. */
export function answerNothingThere(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => sendProblem(nothingThere, request, reply))
  app.setErrorHandler(sendProblem)
}

/** Refuses what Node would refuse in words of its own, or read as something else. */
export function refuseUnusableHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    done(unusable(raw.httpVersion, headers))
  })
}

function unusable(httpVersion: string, headers: IncomingHttpHeaders): AppError | undefined {
  if (httpVersion === '1.1' && headers.host === undefined) {
    return new AppError('invalid_input', 'The header Host is required.')
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new AppError('unsupported_media_type', 'Send the body without a Content-Encoding.')
  }
  return undefined
}

/**
 * Answers what is no HTTP request that can be read, or did not come in time. A request before it on the connection
 * that came in whole gets its own answer first.
 */
function answerUnreadable(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { remoteAddress: address } = socket
  const pending = pendingResponse(socket)
  if (pending) return void pending.once('close', () => answerUnreadable.call(this, error, socket))
  const failure =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new AppError('request_timeout', 'The request did not arrive in time.')
      : new AppError('invalid_input', 'This is no HTTP request that can be read.')
  const requestID = randomUUID()
  const { status, code } = failure
  this.log.info({ requestID, method: null, route: null, status, address, code }, 'request')
  const body = JSON.stringify(problemOf(failure, requestID, this))
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${requestID}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
