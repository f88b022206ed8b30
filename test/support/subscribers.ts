import type { ExecutionResult } from 'graphql'
import { createClient as createEventSource } from 'graphql-sse'
import { createClient as createWebSocket } from 'graphql-ws'
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Service } from './service.ts'

export const transports = ['WebSocket', 'SSE'] as const
export type Transport = (typeof transports)[number]

export const eventsDocument = `subscription Events($after: String, $types: [EventType!], $threadID: ID, $groupID: ID) {
  events(after: $after, types: $types, threadID: $threadID, groupID: $groupID) {
    id type cursor objectID threadID userIDs recipientIDs message { id text } app { id }
  }
}`

export const threadDocument = `subscription ThreadEvents($threadID: ID!, $after: String) {
  threadEvents(threadID: $threadID, after: $after) { id type cursor objectID threadID recipientIDs message { id text } }
}`

type Event = Record<string, unknown> & {
  id: string
  type: string
  cursor: string
  objectID: string
  message: { id: string; text: string } | null
}

/** The codes of the errors, and the code with which a WebSocket was closed or the status of a refused request. */
export type Ending = { codes: string[]; closed?: number; status?: number }

/** A subscription of a real client. */
export type Subscriber = {
  events: Event[]
  /** The codes of all errors so far. */
  codes: string[]
  ended: Promise<Ending>
  stop: () => void
}

type Subscription = { token: string; query?: string; variables?: object }

/** Subscribes with the client of graphql-ws or graphql-sse. The subscription ends when the service stops. */
export function subscribe(
  url: string,
  transport: Transport,
  { token, query = eventsDocument, variables = {} }: Subscription,
): Subscriber {
  const authorization = `Bearer ${token}`
  const client =
    transport === 'SSE'
      ? createEventSource({ url, headers: { authorization }, retryAttempts: 0 })
      : createWebSocket({
          url: url.replace('http', 'ws'),
          webSocketImpl: WebSocket,
          connectionParams: { Authorization: authorization },
          retryAttempts: 0,
        })
  const events: Event[] = []
  const codes: string[] = []
  const stop = () => void client.dispose()
  const ended = new Promise<Ending>((resolve) => {
    client.subscribe(
      { query, variables: { ...variables } },
      {
        next: ({ data, errors = [] }: ExecutionResult<Record<string, Event>>) => {
          codes.push(...errors.map(codeOf))
          events.push(...Object.values(data ?? {}))
        },
        error: (error) => resolve(endingOf(error, codes)),
        complete: () => resolve({ codes }),
      },
    )
  })
  return { events, codes, ended, stop }
}

/** Returns the cursor of the latest event. */
export async function latestCursor(service: Service, token: string): Promise<string> {
  return (await service.graphql(token, '{ latestEventCursor }')).data.latestEventCursor
}

/** Sends a GraphQL request whose response can be an event stream. */
export function fetchStream(
  url: string,
  token: string,
  body: object,
  { accept = 'text/event-stream', signal = null }: { accept?: string; signal?: AbortSignal | null } = {},
): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept, authorization: `Bearer ${token}` }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
}

type GraphQLFailure = { extensions?: { code?: unknown } | undefined }

function codeOf({ extensions }: GraphQLFailure): string {
  return String(extensions?.code)
}

function endingOf(error: unknown, codes: string[]): Ending {
  if (Array.isArray(error)) return { codes: [...codes, ...error.map(codeOf)] }
  const { code, response } = error as { code?: number; response?: { status: number } }
  if (response) return { codes, status: response.status }
  return { codes, ...(code !== undefined && { closed: code }) }
}

/** Waits until the subscriber has received this many events, and returns them. */
export async function received({ events }: Subscriber, count: number): Promise<Event[]> {
  // expect.poll does not work in concurrent tests.
  await vi.waitUntil(() => events.length >= count, { timeout: 20_000, interval: 20 }).catch(() => undefined)
  expect(events).toHaveLength(count)
  return events
}

export const textsOf = ({ events }: Subscriber) => events.map(({ message }) => message?.text)
