import { createClient as createStreamClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import type { SeenEvent } from '../history.ts'
import { type Door, eventFields, type Reading } from './readers.ts'

type Failure = { message?: string; extensions?: { code?: string } }
type Result = {
  data?: { events?: SeenEvent | null } | null
  errors?: readonly Failure[]
}
type Request = { query: string; variables: Record<string, unknown> }
type Sink = { next: (result: Result) => void; error: (error: unknown) => void; complete: () => void }
type Subscribe = (request: Request, sink: Sink) => () => void

/** On average, the reader reconnects after this number of events. */
const reconnectAfter = 50

/** Follows a subscription over a WebSocket. */
export const readSocket: Door = async (reading, after) => {
  const client = createSocketClient({
    url: `${reading.url().replace('http', 'ws')}/public/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${reading.token}` },
    retryAttempts: 0,
  })
  await readStream(reading, after, (request, sink) => client.subscribe<{ events: SeenEvent }>(request, sink))
  await client.dispose()
}

/** Follows a subscription by Server-Sent Events. */
export const readEventStream: Door = async (reading, after) => {
  const client = createStreamClient({
    url: `${reading.url()}/public/graphql`,
    headers: { authorization: `Bearer ${reading.token}` },
    retryAttempts: 0,
  })
  await readStream(reading, after, (request, sink) => client.subscribe<{ events: SeenEvent }>(request, sink))
  client.dispose()
}

/** Resolves when the stream has ended, or when the reader leaves it. */
function readStream(reading: Reading, after: string, subscribe: Subscribe): Promise<void> {
  const { client, threadID, signal, random, take } = reading
  const field =
    threadID === undefined
      ? 'events(after: $after)'
      : 'events: threadEvents(threadID: $threadID, after: $after)'
  const declared = threadID === undefined ? '$after: String' : '$after: String, $threadID: ID!'
  const query = `subscription (${declared}) { ${field} { ${eventFields} } }`
  return new Promise((resolve) => {
    let isOpen = true
    const leave = () => {
      isOpen = false
      end()
      resolve()
    }
    const next = ({ data, errors }: Result) => {
      if (!isOpen) return
      const event = data?.events
      if (event) take({ cursor: event.cursor, event })
      // A client that stores the cursor of an incomplete event would never see the rest of it.
      if (event && errors) client.surprises.push(`an event is incomplete: ${JSON.stringify(errors)}`)
      else if (errors) noteErrors(reading, errors)
      if (errors || random.below(reconnectAfter) === 0) leave()
    }
    const error = (failure: unknown) => {
      if (Array.isArray(failure)) noteErrors(reading, failure)
      else noteFailure(reading, failure)
      resolve()
    }
    const end = subscribe({ query, variables: { after, threadID } }, { next, error, complete: resolve })
    signal.addEventListener('abort', leave, { once: true })
  })
}

function noteErrors({ client }: Reading, errors: readonly Failure[]): void {
  for (const error of errors)
    client.isTemporary(error.extensions?.code ?? error.message, JSON.stringify(error))
}

/** A lost connection is expected. An HTTP status or a close code that refuses the client is a surprise. */
function noteFailure(reading: Reading, failure: unknown): void {
  const { code, response, reason } = failure as {
    code?: number
    response?: { status: number }
    reason?: string
  }
  const status = Number(response?.status ?? code ?? 0)
  const isRefusal = (status >= 400 && status < 503) || status >= 4400
  if (isRefusal) reading.client.surprises.push(`${status}: the stream ended ${reason ?? ''}`)
}
