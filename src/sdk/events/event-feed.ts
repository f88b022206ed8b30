import * as api from '../../generated/sdk.ts'
import { noAnswer, SkeinError } from '../errors.ts'
import {
  dataOf,
  failureOf,
  type GraphQLBody,
  type GraphQLError,
  graphqlRequest,
  mediaType,
  required,
  sourceOf,
} from '../requests/graphql.ts'
import { type Fetch, fromJSON, type HTTPResponse, readResponse, send } from '../requests/http.ts'
import type { Token, Tokens } from '../requests/tokens.ts'
import type { SkeinEvent } from './event.ts'
import { messagesIn } from './event-stream.ts'
import type { EventFeed } from './follow-events.ts'

export type EventFilter = Omit<api.FollowEventsSubscriptionVariables, 'after'>
export type Endpoint = { fetch: Fetch; url: string; tokens: Tokens }
type Page = NonNullable<api.EventsAfterQuery['events']>
type LoadPage = (variables: api.EventsAfterQueryVariables) => Promise<Page>

/** Errors with these codes make only one field null, for example because a scope is missing. */
const refusals = new Set(['INSUFFICIENT_SCOPE', 'FORBIDDEN', 'NOT_FOUND'])

export function eventFeed<Type extends api.EventType>(
  endpoint: Endpoint,
  loadPage: LoadPage,
  filter: EventFilter,
  signal: AbortSignal | undefined,
): EventFeed<SkeinEvent<Type>> {
  return {
    connect: (after) => subscribe(endpoint, { after, ...filter }, signal),
    latest: async (after) => {
      for (;;) {
        const { nodes, pageInfo } = await loadPage({ after, ...filter })
        if (nodes.length > 0) return after
        after = required(pageInfo.endCursor)
        if (!pageInfo.hasNextPage) return after
      }
    },
  }
}

async function* subscribe<Type extends api.EventType>(
  { fetch, url, tokens }: Endpoint,
  variables: api.FollowEventsSubscriptionVariables,
  signal: AbortSignal | undefined,
): AsyncGenerator<SkeinEvent<Type>, void, undefined> {
  const body = JSON.stringify({ query: sourceOf(api.FollowEventsDocument), variables })
  const connect = async (token: Token) => {
    const request = graphqlRequest(token.value, body, `text/event-stream, ${mediaType}`)
    return { token, results: await openConnection(fetch, url, { ...request, signal }) }
  }
  const { token, results } = await tokens.use(connect, signal)
  try {
    for await (const result of results) yield eventIn<Type>(result)
  } catch (error) {
    if (!(error instanceof SkeinError && error.code === 'UNAUTHENTICATED')) throw error
    // The token has expired or was revoked. The next connection requests a new one, and fails if it does not get one.
    tokens.forget(token)
  }
}

type Subscribed<Type extends api.EventType> = { events: SkeinEvent<Type> | null }

function eventIn<Type extends api.EventType>(result: HTTPResponse): SkeinEvent<Type> {
  const { data, errors = [] } = { ...(result.body as GraphQLBody<Subscribed<Type>>) }
  const isRefusal = ({ extensions }: GraphQLError) => refusals.has(extensions?.code ?? '')
  const failures = data?.events ? errors.filter((error) => !isRefusal(error)) : errors
  const { events } = dataOf<Subscribed<Type>>({ ...result, body: { data, errors: failures } })
  return required(events)
}

/** If nothing arrives for this time, the connection is lost. The service sends at least a comment every 12 seconds. */
const silenceMs = 40_000
/** A connection is replaced after this time. A reader that receives no events gets a newer cursor only then. */
const lifetimeMs = 3_600_000

/** The results of a subscription. If they end without an error, the reader can connect again. */
type Results = AsyncGenerator<HTTPResponse, void, undefined>

/** Waits for a part of the response. Throws NO_ANSWER if the connection fails, or nothing arrives for `silenceMs`. */
type Hear = <T>(part: Promise<T>) => Promise<T>

/** Opens a connection (graphql-sse, "distinct connections mode"). To close it, call `return()` on the results. */
async function openConnection(fetch: Fetch, url: string, { signal, ...init }: RequestInit): Promise<Results> {
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
