import { createServer, type Server, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RequestSender } from '../../src/feeds/requests/request-sender.ts'

const accepted = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
const success = expect.objectContaining({ status: 200, error: null })
const reset = { status: null, response: null, error: 'The request failed with ECONNRESET.' }

const accept = (socket: Socket) => void socket.write(accepted)

/** A receiver in another thread. It closes its connection when the shared number is 1, and then stores 2. */
const closingReceiver = `
  const { parentPort, workerData: { shared, accepted } } = require('node:worker_threads')
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(accepted)
      const timer = setInterval(() => {
        if (Atomics.load(shared, 0) === 1) socket.destroy()
      }, 1)
      socket.on('close', () => {
        clearInterval(timer)
        Atomics.store(shared, 0, 2)
        Atomics.notify(shared, 0)
      })
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

/** Starts a receiver that calls `first` for the first request of a connection, and `again` for the others. */
async function startReceiver(again: (socket: Socket) => void, first = accept) {
  const counts = { connections: 0, requests: 0 }
  const server: Server = createServer((socket) => {
    let isKept = false
    counts.connections += 1
    socket.on('error', () => undefined)
    socket.on('data', () => {
      counts.requests += 1
      if (isKept) again(socket)
      else first(socket)
      isKept = true
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(Object(server.address()).port))
  })
  onTestFinished(() => void server.close())
  return { counts, send: senderTo(port) }
}

function senderTo(port: number) {
  const sender = new RequestSender({ networks: ['127.0.0.1'], timeoutMs: 5000 })
  onTestFinished(() => sender.close())
  return (body = '{}') => sender.send({ url: `http://127.0.0.1:${port}/`, headers: {}, body })
}

describe('a request on a kept connection that the receiver closes', () => {
  test('is sent once more on a new connection, even if other kept connections exist', async () => {
    const { counts, send } = await startReceiver((socket) => socket.end())
    await Promise.all([send(), send(), send()])
    expect(counts).toEqual({ connections: 3, requests: 3 })
    expect(await send()).toEqual(success)
    expect(counts).toEqual({ connections: 4, requests: 5 })
  })

  test.each([
    'HTTP/1.1 2',
    'HTTP/1.1 100 Continue\r\n\r\n',
  ])('is not sent again after the bytes %j of an answer', async (bytes) => {
    const { counts, send } = await startReceiver((socket) => socket.end(bytes))
    await send()
    expect(await send()).toEqual(reset)
    expect(counts).toEqual({ connections: 1, requests: 2 })
  })

  test('is sent once more if the connection ends while the body is sent', async () => {
    const shared = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(closingReceiver, { eval: true, workerData: { shared, accepted } })
    onTestFinished(async () => void (await worker.terminate()))
    const send = senderTo(await new Promise<number>((resolve) => worker.once('message', resolve)))
    await send()
    // This thread does not notice that the receiver closes the connection.
    Atomics.store(shared, 0, 1)
    expect(Atomics.wait(shared, 0, 1, 5000)).not.toBe('timed-out')
    expect(await send('x'.repeat(4_000_000))).toEqual(success)
  })
})

test('a request on a new connection that the receiver closes is not sent again', async () => {
  const { counts, send } = await startReceiver(accept, (socket) => void socket.end())
  expect(await send()).toEqual(reset)
  expect(counts).toEqual({ connections: 1, requests: 1 })
})
