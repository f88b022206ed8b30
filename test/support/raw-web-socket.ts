import { once } from 'node:events'
import { expect } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { atEnd } from './at-end.ts'

// biome-ignore lint/suspicious/noExplicitAny: each test states the messages that it expects
type Message = any

/** A WebSocket whose messages the test sends itself. */
export type RawWebSocket = {
  socket: WebSocket
  messages: Message[]
  send: (message: object | string) => void
  closed: Promise<{ code: number; reason: string }>
}

/** Opens a WebSocket. It closes after the test. */
export async function openWebSocket(
  url: string,
  options: ClientOptions = {},
  protocols: string | string[] = 'graphql-transport-ws',
): Promise<RawWebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws'), protocols, options)
  atEnd(() => socket.terminate())
  const messages: Message[] = []
  socket.on('message', (text) => messages.push(JSON.parse(String(text))))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  await once(socket, 'open')
  const send = (message: object | string) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  return { socket, messages, send, closed }
}

/** Opens a WebSocket, and sends the connection parameters. */
export async function initialized(
  url: string,
  params: object,
  options: ClientOptions = {},
): Promise<RawWebSocket> {
  const raw = await openWebSocket(url, options)
  raw.send({ type: 'connection_init', payload: params })
  await expect.poll(() => raw.messages[0]).toEqual({ type: 'connection_ack' })
  return raw
}
