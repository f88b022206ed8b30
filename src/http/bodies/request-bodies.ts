import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route itself calls `sendContinue` when it has accepted the headers. */
    readsBodyItself?: boolean
  }
  interface FastifyRequest {
    /** The body as text, also if it could not be parsed. Null if it was not read. */
    bodyText: string | null
  }
}

const lingerMs = 5000
// After the answer, up to this much of the body is read, so that a client that is still sending can read the answer.
const maxDroppedBytes = 1024 * 1024
const stalledAfterMs = 60_000
const awaitingContinue = new WeakSet<IncomingMessage>()
// A symbol, because weak maps with an entry for each request burden the garbage collector.
const socketOf = Symbol('socket')
// Keeps the socket, because `request.socket` is undefined after an error in a stream that reads the body.
type RequestWithConnection = IncomingMessage & { [socketOf]?: Duplex }

/** Asks for the body of a request only when it is needed, and limits how much of an unneeded body arrives. */
export function handleRequestBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyText', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const raw: RequestWithConnection = request.raw
    raw[socketOf] = raw.socket
    done()
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { bodyLimit, config } = request.routeOptions
    const isTooLarge = Number(request.headers['content-length']) > bodyLimit
    if (!config.readsBodyItself && !isTooLarge) sendContinue(request.raw, reply.raw)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // Fastify would close the connection of a body that is too large while the client still sends it. Then the client
    // often cannot read the answer (RFC 9112 9.6).
    if (reply.statusCode === 413 && isUnread(request.raw)) reply.removeHeader('connection')
    dropUnreadBody(request.raw)
    done(null, payload)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    endUnreadBody(request.raw)
    done()
  })
  holdContinue(app)
}

/** Sends `100 Continue` to a client that waits for it before it sends the body (RFC 9110 10.1.1). */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request)) response.writeContinue()
}

// Node would read the rest of a body to its end, however long it is.
function dropUnreadBody(request: IncomingMessage): void {
  if (!isUnread(request)) return
  let left = maxDroppedBytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.pause()
  })
}

function isUnread({ complete, destroyed, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  return hasBody && !complete && !destroyed
}

// If the answer was sent before the body arrived, ends the connection after the client has had time to read the answer.
function endUnreadBody(request: RequestWithConnection): void {
  const socket = request[socketOf]
  if (request.complete || !(socket instanceof Socket)) return
  setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, lingerMs).unref()
}

/** Ends the connection if the client has not read anything of the answer for a minute. */
export function endStalled(request: IncomingMessage, response: ServerResponse): void {
  if (request.socket instanceof Socket) response.setTimeout(stalledAfterMs, () => request.destroy())
}

// Node would ask for the body immediately, even if the service then refuses the request because of its headers.
function holdContinue(app: FastifyInstance): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitingContinue.add(request)
    app.server.emit('request', request, response)
  })
  // Ignores any other expectation. RFC 9110 10.1.1 allows that.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
}
