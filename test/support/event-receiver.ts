import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.ts'
import type { Service } from './service.ts'

export type ReceivedEvent = {
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: each test states the body that it expects
  json: any
}

type Answer = (received: ReceivedEvent, response: ServerResponse) => void

export type EventReceiver = { url: string; received: ReceivedEvent[]; answer: Answer }

/** Starts an HTTP server that receives events. By default it answers 200. It stops after the test or the file. */
export async function startReceiver(): Promise<EventReceiver> {
  const receiver: EventReceiver = {
    url: '',
    received: [],
    answer: (_received, response) => void response.end('ok'),
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const received = { headers: request.headers, body, json: JSON.parse(body) }
      receiver.received.push(received)
      receiver.answer(received, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  atEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return receiver
}

/** The settings with which a service sends events to receivers in this process. */
export const allowsLoopback = { EVENT_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' }

/** Starts the work that delivers events. It ends when the service stops. */
export function startDelivering({ app }: Service): void {
  app.eventLog.start()
  app.deliveries.start()
}
