import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route calls `sendContinue` when it has found the headers good. */
    readsBodyItself?: boolean
  }
}

const lingerMs = 5000
/** How much of an unread body is read and dropped after the answer, so that a client which sends first can read it. */
const maxDroppedBytes = 1024 * 1024
const stalledAfterMs = 60_000
const awaitingContinue = new WeakSet<IncomingMessage>()
// Under symbols and not in weak maps, which are a burden on the garbage collector where each request has an entry.
const socketOf = Symbol('socket')
const latest = Symbol('latest')
// A stream that fails while it reads a body takes the socket away from the request.
type Traced = IncomingMessage & { [socketOf]?: Connection }
type Connection = Duplex & { [latest]?: { request: IncomingMessage; response: ServerResponse } }

/** The caller's request ID when it is a sane one, else a new one. */
export function requestID(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

/** What holds for every answer: its request ID, and no guessing of types. */
export function httpConventions(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const raw: Traced = request.raw
    const socket: Connection = raw.socket
    raw[socketOf] = socket
    socket[latest] = { request: raw, response: reply.raw }
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const awaits = awaitingContinue.has(request.raw)
    if (awaits && !request.routeOptions.config.readsBodyItself) sendContinue(request.raw, reply.raw)
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    dropUnreadBody(request.raw)
    done(null, payload)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    endUnreadBody(request.raw)
    done()
  })
  holdContinue(app)
}

/** The response that is under way on a connection, to a request that has come in whole. */
export function pendingResponse(socket: Connection): ServerResponse | undefined {
  const exchange = socket[latest]
  return exchange?.request.complete && !exchange.response.writableFinished ? exchange.response : undefined
}

/** Tells a client that waits for it to send its body (`Expect: 100-continue`, RFC 9110 10.1.1). */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request)) response.writeContinue()
}

/** Node would read the rest of a body to its end, however long it is. */
function dropUnreadBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed || !hasBody(request)) return
  let left = maxDroppedBytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.pause()
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

/** An answer may go out before the body has come in. The client gets a while to notice, then the connection ends. */
function endUnreadBody(request: Traced): void {
  const socket = request[socketOf]
  if (request.complete || !(socket instanceof Socket)) return
  setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, lingerMs).unref()
}

/** Ends a connection on whose other side nobody has taken anything of a long answer for a minute. */
export function endStalled(request: IncomingMessage, response: ServerResponse): void {
  if (request.socket instanceof Socket) response.setTimeout(stalledAfterMs, () => request.destroy())
}

/** Keeps Node from asking for a body at once, so that a request which is refused by its headers sends none. */
function holdContinue(app: FastifyInstance): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitingContinue.add(request)
    app.server.emit('request', request, response)
  })
  // Any other expectation is passed over, as RFC 9110 10.1.1 allows.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
}
