import type { ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { gauge } from '../platform/metrics.ts'

/** Open connections have this long to send a request that is on its way. */
const lastRequestsMs = 500
/** A turn of the event loop in which nothing waited takes less than this. */
const shortTurnMs = 1

const openConnections = gauge('skein_http_connections', 'The open connections of clients, with WebSockets.')

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain
  }
}

/** Prepares the end of the process. Until the server closes, requests are answered. */
export type Drain = {
  readonly hasBegun: boolean
  /**
   * From now on, the process is not ready. During the delay, each answer ends its connection. Subscriptions end in the
   * second half, because clients connect again at once, and the load balancer must have noticed that the process stops.
   */
  begin(delayMs: number): Promise<void>
}

/**
 * Adds `drain`, and before the server closes, refuses new connections and leaves the existing ones open for a while.
 * `endStreams` ends the subscriptions, spread over a time.
 */
export function drainBeforeClose(app: FastifyInstance, endStreams: (overMs: number) => Promise<void>): void {
  const { server } = app
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    if (connections.has(socket)) return
    connections.add(socket)
    openConnections.inc()
    socket.once('close', () => {
      connections.delete(socket)
      openConnections.dec()
    })
  })
  let hasBegun = false
  app.decorate('drain', {
    get hasBegun() {
      return hasBegun
    },
    async begin(delayMs) {
      hasBegun = true
      // Without a load balancer that stops sending, clients would only connect again.
      if (delayMs > 0) server.prependListener('request', (_request, response) => closeAfter(response))
      const endLater = sleep(delayMs / 2).then(() => endStreams(delayMs / 2))
      await Promise.all([sleep(delayMs), endLater])
      await shortTurn()
    },
  })
  // Node would close idle connections, even if a client is about to send. Instead, each answer now ends its connection.
  app.addHook('preClose', async () => {
    hasBegun = true
    NetServer.prototype.close.call(server)
    await endStreams(0)
    if (connections.size > 0) await sleep(lastRequestsMs)
    // Node does not count a connection without any request as idle. A client that cancels a stream opens one.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  })
}

function closeAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false
}

/**
 * Waits for a short turn of the event loop. When a listener closes, the kernel resets the connections that were not
 * accepted yet. A turn begins by accepting all of them, and during a short turn few can arrive.
 */
async function shortTurn(): Promise<void> {
  for (let turns = 0; turns < 500; turns += 1) {
    const begun = performance.now()
    await setImmediate()
    if (performance.now() - begun < shortTurnMs) return
  }
}
