import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import fastifyWebSocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { handleProtocols } from 'graphql-ws'
import { afterAnswers } from './pipelining.ts'

const goingAway = 1001
/** A client that does not answer the close frame of the service within this time is disconnected. */
const closingMs = 500

/** Accepts WebSockets on these paths. The GET route of each path must have a WebSocket handler. */
export async function acceptWebSockets(
  app: FastifyInstance,
  paths: readonly string[],
  maxPayload: number,
): Promise<void> {
  // This server never listens. The plugin sees only the `upgrade` events that are emitted on it below.
  const upgrades = createServer()
  let isStopping = false
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    afterAnswers(socket, () => {
      // For other paths, the plugin would accept the WebSocket, and log the URL, which can contain a webhook's key.
      if (!isWebSocket(request, paths)) ignoreUpgrade(app.server, request, socket, head)
      else if (isStopping) socket.destroy()
      else upgrades.emit('upgrade', request, socket, head)
    }),
  )
  await app.register(fastifyWebSocket, {
    options: { server: upgrades, maxPayload, handleProtocols },
    // The library itself closes a socket after a protocol error, with a code that the client can read.
    errorHandler: (error, socket, request) => {
      request.log.info({ err: error }, 'WebSocket failed')
      socket.close()
    },
    preClose: async () => {
      isStopping = true
      const { clients } = app.websocketServer
      for (const client of clients) client.close(goingAway, 'The process stops')
      setTimeout(() => {
        for (const client of clients) client.terminate()
      }, closingMs)
    },
  })
}

function isWebSocket({ method, url = '', headers }: IncomingMessage, paths: readonly string[]): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    paths.includes(url.replace(/\?.*/s, ''))
  )
}

/**
 * Answers a request as if it had no Upgrade header (RFC 9110 7.8). Java's HTTP client sends this header with h2c. Node
 * stops reading such a request if the server has a listener for upgrades. Therefore Node must read the request again.
 */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
