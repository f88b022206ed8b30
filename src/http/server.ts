import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { isHeldBack, pendingResponse } from './pipelining.ts'
import { notFoundAtURL, problemOf, sendNotFound, sendProblem } from './problems.ts'

const maxHeadersMs = 60_000
const checkConnectionsEveryMs = 1000

/** Returns the options of Fastify. Replaces Fastify's own error messages, because they contain the URL. */
export function serverOptions(config: Config): FastifyHttpOptions<Server> {
  const requestTimeout = config.requestTimeoutSeconds * 1000
  // Node throws if the time limit for the headers is longer than the limit for the request.
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
    // Called for a URL that cannot be decoded or has a part that is too long.
    frameworkErrors: (_error, request, reply) => {
      reply.headers(commonHeaders(request))
      const { method, ip: address } = request
      const { status, code } = notFoundAtURL
      request.log.info({ method, route: null, status, address, code }, 'request')
      sendNotFound(request as never, reply as never)
    },
  }
}

function requestID(request: IncomingMessage): string {
  const requestID = request.headers['x-request-id']
  return typeof requestID === 'string' && /^[\w.:-]{1,128}$/.test(requestID) ? requestID : randomUUID()
}

export function setCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request))
    if (app.baseURL.startsWith('https:')) reply.headers(httpsHeaders)
    done()
  })
}

/** A browser that has come by https never comes by http again (RFC 6797). */
const httpsHeaders = { 'strict-transport-security': 'max-age=31536000' }

const permissionsPolicy = ['camera', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ')

function commonHeaders({ id }: { id: string }): Record<string, string> {
  return { 'x-request-id': id, 'x-content-type-options': 'nosniff', 'permissions-policy': permissionsPolicy }
}

export function answerNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler(sendNotFound)
  app.setErrorHandler(sendProblem)
}

/** Node ignores a Content-Encoding, and its own answer to a request without Host has no problem details. */
export function refuseUnusableHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    done(unusable(raw.httpVersion, headers))
  })
}

function unusable(httpVersion: string, headers: IncomingHttpHeaders): AppError | undefined {
  if (httpVersion === '1.1' && headers.host === undefined) {
    return new AppError('invalid_input', 'The Host header is required.')
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new AppError('unsupported_media_type', 'The body must not have a Content-Encoding.')
  }
  return undefined
}

// Answers a malformed or late request. An earlier complete request on the connection gets its answer first.
function answerUnreadable(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (isLate && isHeldBack(socket)) return void socket.setTimeout(maxHeadersMs)
  const { remoteAddress: address } = socket
  const pending = pendingResponse(socket)
  // The client has closed the connection in the middle of a request. It reads no answer.
  if (pending && socket.readableEnded) return void socket.destroy()
  if (pending) return void pending.once('close', () => answerUnreadable.call(this, error, socket))
  const failure = isLate
    ? new AppError('request_timeout', 'The whole request did not arrive within the time limit.')
    : new AppError('invalid_input', 'The HTTP request is malformed.')
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
