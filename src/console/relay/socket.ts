import { createClient } from 'graphql-ws'
import {
  type GraphQLResponse,
  type GraphQLSingularResponse,
  Observable,
  type SubscribeFunction,
  type Variables,
} from 'relay-runtime'
import type { Connection } from '../session/connection.ts'
import { leaveIfRefused } from './post.ts'
import { untilRetry } from './retry.ts'

/** Events of one change arrive in several subscriptions, some milliseconds apart. */
const gatherMs = 20
const pauseMs = 100

/** Collects items for 20 ms, and delivers them together. While more items arrive, delivers them every 100 ms. */
function inBatches<T>(deliver: (items: T[]) => void): (item: T) => void {
  let waiting: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    timer = setTimeout(flush, pauseMs)
    deliver(items)
  }
  return (item) => {
    waiting.push(item)
    if (timer === undefined) timer = setTimeout(flush, gatherMs)
  }
}

const [closedByClient, forbidden] = [1000, 4403]
/** A connection is lost if the service sends nothing for `quietMs`, and then no answer to a ping within `answerMs`. */
const [quietMs, answerMs] = [10_000, 10_000]

type Received = { sink: { next: (results: GraphQLResponse) => void }; result: GraphQLSingularResponse }

export type Socket = Connection & {
  /**
   * Subscribes for Relay. Several events can arrive together. Relay stores them, calls `updater` for each of them, and
   * renders once. Subscriptions must not use `onNext`, because Relay calls it only for the last event.
   */
  subscribe: SubscribeFunction
  close: () => void
}

/** Opens one WebSocket for a workspace. After an interruption, each subscription continues after its last event. */
export function openSocket(workspaceID: string): Socket {
  const listeners = new Set<() => void>()
  let isConnected = true
  const change = (value: boolean) => {
    isConnected = value
    for (const listener of listeners) listener()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const expectAnswer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => client.terminate(), answerMs)
  }
  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/public/graphql`,
    connectionParams: { 'Skein-Workspace': workspaceID },
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: untilRetry,
    keepAlive: quietMs,
    on: {
      connecting: expectAnswer,
      connected: () => change(true),
      ping: (isReceived) => {
        if (!isReceived) expectAnswer()
      },
      message: () => clearTimeout(timer),
      closed: (event) => {
        clearTimeout(timer)
        const code = event instanceof CloseEvent ? event.code : undefined
        // The service also refuses a page that was opened at another address than its own, though nobody has signed out.
        if (code === forbidden) leaveIfRefused(workspaceID)
        // The client closes the connection when no subscription is left. This is not an interruption.
        if (code !== closedByClient) change(false)
      },
    },
  })
  const deliver = inBatches((received: Received[]) => {
    for (const sink of new Set(received.map(({ sink }) => sink)))
      sink.next(received.filter((event) => event.sink === sink).map(({ result }) => result))
  })
  // The browser can keep a connection open that no longer works.
  const ended = new AbortController()
  addEventListener('offline', () => client.terminate(), { signal: ended.signal })
  return {
    subscribe: ({ text, name }, variables) =>
      Observable.create<GraphQLResponse>((sink) => {
        // After an interruption, the client sends this object again. Therefore, `after` is updated in it.
        const payload = { query: text ?? '', operationName: name, variables: { ...variables } as Variables }
        return client.subscribe<Record<string, { cursor: string } | null>>(payload, {
          next: (result) => {
            const [event] = Object.values(result.data ?? {})
            if (event) payload.variables.after = event.cursor
            deliver({ sink, result: result as GraphQLSingularResponse })
          },
          error: (error) => sink.error(error instanceof Error ? error : new Error('The stream has ended.')),
          complete: () => sink.complete(),
        })
      }),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isConnected: () => isConnected,
    close: () => {
      ended.abort()
      client.dispose()
    },
  }
}
