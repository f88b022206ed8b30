import { noAnswer } from '../errors.ts'
import { failureOf } from '../requests/graphql.ts'
import { type Fetch, fromJSON, type HTTPResponse, readResponse, send } from '../requests/http.ts'
import { messagesIn } from './event-stream.ts'

/** If nothing arrives for this time, the connection is lost. The service sends at least a comment every 12 seconds. */
const silenceMs = 40_000
/** A connection is replaced after this time. A reader that receives no events gets a newer cursor only then. */
const lifetimeMs = 3_600_000

/** The results of a subscription. If they end without an error, the reader can connect again. */
export type Results = AsyncGenerator<HTTPResponse, void, undefined>

/** Waits for a part of the response. Throws NO_ANSWER if the connection fails, or nothing arrives for `silenceMs`. */
type Hear = <T>(part: Promise<T>) => Promise<T>

/** Opens a connection (graphql-sse, "distinct connections mode"). To close it, call `return()` on the results. */
export async function openConnection(
  fetch: Fetch,
  url: string,
  { signal, ...init }: RequestInit,
): Promise<Results> {
  const connection = new AbortController()
  const either = signal ? AbortSignal.any([signal, connection.signal]) : connection.signal
  const hear: Hear = async (part) => {
    const timer = setTimeout(() => connection.abort(new DOMException('Silence', 'TimeoutError')), silenceMs)
    return part.catch((error) => Promise.reject(noAnswer(error, url))).finally(() => clearTimeout(timer))
  }
  const response = await hear(send(fetch, url, { ...init, signal: either }))
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !response.body || !type.startsWith('text/event-stream'))
    throw failureOf(await hear(readResponse(response, url)))
  return resultsIn(response, url, chunksOf(response.body, hear, connection))
}

async function* resultsIn(response: Response, url: string, chunks: AsyncIterable<Uint8Array>): Results {
  const { status, ok, headers } = response
  const requestID = headers.get('x-request-id') ?? undefined
  const shared = { host: new URL(url).host, status, ok, requestID, retryAfterSeconds: undefined }
  for await (const { event, data } of messagesIn(chunks)) {
    if (event === 'complete') return
    if (event === 'next') yield { ...shared, body: fromJSON(data) }
  }
}

/** Reads a chunk only on demand. Therefore a slow reader slows the service down, and no data accumulates here. */
async function* chunksOf(body: ReadableStream<Uint8Array>, hear: Hear, connection: AbortController) {
  const endsAt = performance.now() + lifetimeMs
  const reader = body.getReader()
  try {
    while (performance.now() < endsAt) {
      const { done, value } = await hear(reader.read())
      if (done) return
      yield value
    }
  } finally {
    connection.abort()
  }
}
