import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import fastifyWebSocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { handleProtocols } from 'graphql-ws'

const goingAway = 1001

/** Accepts WebSockets on the routes that have a handler for them. */
export async function acceptWebSockets(app: FastifyInstance, maxPayload: number): Promise<void> {
  // This server only emits the events of upgrades to WebSockets.
  const upgrades = createServer()
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket')
      upgrades.emit('upgrade', request, socket, head)
    else ignoreUpgrade(app.server, request, socket, head)
  })
  await app.register(fastifyWebSocket, {
    options: { server: upgrades, maxPayload, handleProtocols },
    errorHandler: (error, socket, request) => {
      request.log.info({ err: error }, 'WebSocket failed')
      socket.terminate()
    },
    preClose: async () => {
      for (const client of app.websocketServer.clients) client.close(goingAway, 'The process stops')
    },
  })
}

/**
 * Answers a request as if it had no Upgrade header (RFC 9110 7.8). Java's HTTP client sends this header with h2c. Node
 * stops reading such a request if the server has a listener for upgrades. Therefore this function lets Node read the
 * request again, without the header.
 */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
