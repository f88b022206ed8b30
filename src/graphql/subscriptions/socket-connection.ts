import type { FastifyRequest } from 'fastify'
import { CloseCode, type WebSocket as ProtocolSocket } from 'graphql-ws'
import type { WebSocket } from 'ws'

/** A ping is sent this often. A client that has not answered until the next one is disconnected. */
const heartbeatMs = 12_000
/** A client that receives a message more slowly is disconnected. It can continue after its last cursor. */
const stalledMs = 30_000
/** Part of the API: docs/events.md. */
const tooSlow = 4408

/** Connects the protocol of graphql-ws to a socket. A message is sent when the socket has taken the one before it. */
export function connectionTo(socket: WebSocket, { log }: FastifyRequest): ProtocolSocket {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, heartbeatMs)
  socket.once('close', () => clearInterval(timer))
  return {
    protocol: socket.protocol,
    close: (code, reason) => socket.close(code, reason),
    send: (text) => send(socket, text),
    onMessage: (receive) => {
      socket.on('message', (text) => {
        receive(String(text)).catch((err) => {
          log.error({ err }, 'a WebSocket message failed')
          socket.close(CloseCode.InternalServerError, 'Internal error')
        })
      })
    },
  }
}

function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    const timer = setTimeout(() => closeSlow(socket), stalledMs)
    // An error also closes the socket, which ends its streams.
    socket.send(text, () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Closes the socket. Terminates it later, because the client gets the close code only if it reads again. */
function closeSlow(socket: WebSocket): void {
  socket.close(tooSlow, 'The client reads too slowly. Continue after the last cursor.')
  setTimeout(() => socket.terminate(), stalledMs).unref()
}
