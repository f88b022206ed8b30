import type { FastifyRequest } from 'fastify'
import { CloseCode, type WebSocket as ProtocolSocket } from 'graphql-ws'
import type { WebSocket } from 'ws'

/** A ping is sent this often. A client is disconnected if it has not answered a ping when the next one is due. */
const heartbeatMs = 12_000
/** While more bytes than this wait for a client, nothing is read from it. Otherwise pongs could fill the memory. */
const maxWaitingBytes = 64 * 1024
/** Part of the API: docs/events.md. */
const tooSlow = 4408

/** Connects the protocol of graphql-ws to a socket. A message is sent after the previous message was written. */
export function connectionTo(socket: WebSocket, { log }: FastifyRequest): ProtocolSocket {
  // Each operation in flight adds a listener. Node warns from the eleventh on.
  socket.setMaxListeners(0)
  keepAlive(socket)
  return {
    protocol: socket.protocol,
    close: (code, reason) => socket.close(code, reason),
    send: (text) => send(socket, text),
    onMessage: (receive) => {
      socket.on('message', (text) => {
        receive(String(text)).catch((err) => {
          // For example, the client has sent a message that only servers send.
          log.warn({ err }, 'a WebSocket message failed')
          socket.close(CloseCode.BadRequest, 'Invalid message received')
        })
      })
    },
  }
}

function keepAlive(socket: WebSocket): void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return disconnect(socket)
    isAlive = false
    socket.ping()
  }, heartbeatMs)
  socket.once('close', () => clearInterval(timer))
}

/** Closes a connection. A client that reads slowly gets a close code, and can read it until the next heartbeat. */
function disconnect(socket: WebSocket): void {
  const isSlow = socket.readyState === socket.OPEN && socket.bufferedAmount > 0
  if (isSlow) socket.close(tooSlow, 'The client reads too slowly. Continue after the last cursor.')
  else socket.terminate()
}

function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    // An error also closes the socket, which ends its streams.
    socket.send(text, () => {
      if (socket.bufferedAmount <= maxWaitingBytes) socket.resume()
      resolve()
    })
    if (socket.bufferedAmount > maxWaitingBytes) socket.pause()
  })
}
