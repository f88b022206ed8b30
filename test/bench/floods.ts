import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { pick, post } from './calls.ts'
import { Connection } from './connection.ts'
import type { World } from './worlds.ts'

/** `count` is called for each answer that arrived, or for each message that was sent. */
type Flood = (url: string, world: World, threads: string[], count: () => void) => Promise<unknown>

const sockets = 20
const operationsEach = 20_000
const requestsEach = 5000
const waitingBytes = 64 * 1024
const postsPerSecond = 10

/** What a few connections can do to a process, and what the events of one workspace can do to those of another. */
export const floods = {
  'refused operations over 20 WebSockets': (...args) =>
    Promise.all(Array.from({ length: sockets }, () => floodWebSocket(...args))),
  'pipelined requests over one connection': pipeline,
  'messages to 20 slow endpoints': postSteadily,
  'messages to 300 endpoints': postSteadily,
} satisfies Record<string, Flood>

async function floodWebSocket(
  url: string,
  { token }: World,
  _threads: string[],
  count: () => void,
): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/public/graphql`, 'graphql-transport-ws')
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
  await once(socket, 'message')
  for (let number = 0; number < operationsEach && socket.readyState === socket.OPEN; number++) {
    const id = String(number)
    socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query: 'subscription { nothing }' } }))
    socket.send(JSON.stringify({ id, type: 'complete' }))
    count()
    while (socket.bufferedAmount > waitingBytes && socket.readyState === socket.OPEN) await sleep(1)
  }
  socket.terminate()
}

async function pipeline(url: string, { token }: World, _threads: string[], count: () => void) {
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({ query: '{ me { id } }' })
  const head = `POST /public/graphql HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n`
  const request = `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  let [answers, rest] = [0, '']
  const answered = new Promise((resolve) => {
    socket.on('close', resolve)
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      for (const _ of (rest + text).matchAll(/HTTP\/1\.1 /g)) {
        count()
        if (++answers === requestsEach) resolve(undefined)
      }
      // The beginning of a head may be at the end of a chunk.
      rest = String(text).slice(1 - 'HTTP/1.1 '.length)
    })
  })
  socket.write(request.repeat(requestsEach))
  await answered
  socket.destroy()
}

async function postSteadily(url: string, world: World, threads: string[], count: () => void) {
  const connection = new Connection(url)
  await Promise.all([connection.send(post(world, { target: pick(threads) })), sleep(1000 / postsPerSecond)])
  connection.close()
  count()
}
