import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route calls `sendContinue` when it has found the headers good. */
    readsBodyItself?: boolean
  }
}

const lingerMs = 5000
const awaitingContinue = new WeakSet<IncomingMessage>()

/** The caller's request ID when it is a sane one, else a new one. */
export function requestID(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

/** What holds for every answer: its request ID, no guessing of types, one line in the log without the URL. */
export function httpConventions(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
  })
  app.addHook('preParsing', async (request, reply) => {
    if (!request.routeOptions.config.readsBodyItself) sendContinue(request.raw, reply.raw)
  })
  app.addHook('onResponse', async (request, reply) => {
    logAnswer(request, reply.statusCode, reply.elapsedTime)
    endUnreadBody(request.raw)
  })
  holdContinue(app)
}

/** Tells a client that waits for it to send its body (`Expect: 100-continue`, RFC 9110 10.1.1). */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request)) response.writeContinue()
}

/** The route and not the URL: a webhook's URL holds its key. */
function logAnswer(request: FastifyRequest, status: number, elapsedMs: number): void {
  const route = request.routeOptions.url ?? null
  request.log.info({ method: request.method, route, status, ms: Math.round(elapsedMs * 10) / 10 }, 'request')
}

/** An answer may go out before the body has come in. The client gets a while to notice, then the connection ends. */
function endUnreadBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  setTimeout(() => {
    if (!request.complete) request.destroy()
  }, lingerMs).unref()
}

/** Keeps Node from asking for a body at once, so that a request which is refused by its headers sends none. */
function holdContinue(app: FastifyInstance): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitingContinue.add(request)
    app.server.emit('request', request, response)
  })
}
