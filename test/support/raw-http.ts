import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'

const opened = new Set<Socket>()

/** Opens a connection, to which the test writes raw requests. Close it with `closeConnections` after the test. */
export async function openConnection(port: number) {
  const socket = connect({ host: '127.0.0.1', port })
  opened.add(socket)
  socket.on('error', () => undefined)
  const text = textOf(socket)
  await once(socket, 'connect')
  const answers = () => statusesIn(text())
  const answered = (count: number) => expect.poll(() => answers().length).toBe(count)
  return { socket, text, answers, answered }
}

/** Closes the connections of the test, and waits until they are closed. */
export async function closeConnections(): Promise<void> {
  const closed = [...opened].filter((socket) => !socket.closed).map((socket) => once(socket, 'close'))
  for (const socket of opened) socket.destroy()
  await Promise.all(closed)
  opened.clear()
}

/** Returns the text that a socket has received since this call. */
export function textOf(socket: Socket): () => string {
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  return () => text
}

export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code))
}

/** A PUT request to the service on this port. Of the URL, only the path is used. Undefined headers are not sent. */
type Put = { port: number; url: string; headers: Record<string, string | undefined> }

/** Sends a body. If `onlyWhenAsked`, sends it after `100 Continue`. */
export function put(
  to: Put,
  body: string,
  onlyWhenAsked = false,
): Promise<{ status: number; code: string | undefined; continued: boolean }> {
  return new Promise((resolve, reject) => {
    let continued = false
    const sent = request(optionsOf(to), (answer) => {
      answer.setEncoding('utf8').on('data', (text: string) => {
        resolve({ status: answer.statusCode ?? 0, code: JSON.parse(text).code, continued })
        sent.destroy()
      })
    })
    sent.on('error', reject).on('continue', () => {
      continued = true
      sent.end(body)
    })
    if (onlyWhenAsked) sent.flushHeaders()
    else sent.end(body)
  })
}

/** Sends a part of a body, and destroys the connection. Rejects with the error `connection lost`. */
export function breakOff(to: Put, part: string | Buffer): Promise<never> {
  return new Promise((_resolve, reject) => {
    const sent = request(optionsOf(to)).on('error', reject)
    sent.write(part, () => setTimeout(() => sent.destroy(new Error('connection lost')), 100))
  })
}

function optionsOf({ port, url, headers }: Put) {
  const { pathname, search } = new URL(url, 'http://service')
  const present = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    port,
    host: '127.0.0.1',
    method: 'PUT',
    path: pathname + search,
    headers: Object.fromEntries(present),
  }
}
