import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormattedExecutionResult } from 'graphql'
import { print } from 'graphql-sse'
import { logResponse } from '../../http/request-log.ts'
import { renderThrown } from '../errors.ts'
import { ProcessStops } from './open-streams.ts'
import type { ResultStream } from './subscription.ts'

/** A comment is sent this often, so that proxies keep a quiet stream open and both sides notice a lost connection. */
const heartbeatMs = 12_000
const heartbeat = ':\n\n'

/** Returns whether the client accepts Server-Sent Events, and whether it accepts nothing else. */
export function acceptsEventStream(accept = ''): 'only' | 'also' | undefined {
  const types = accept.split(',').map((type) => type.replace(/;.*/s, '').trim().toLowerCase())
  if (!types.includes('text/event-stream')) return undefined
  return types.length === 1 ? 'only' : 'also'
}

/** Returns the messages of one result or of a stream. If the stream ends with an error, the last result contains it. */
export async function* messagesOf(
  request: FastifyRequest,
  results: ResultStream | FormattedExecutionResult,
): AsyncGenerator<string, void, void> {
  if (!(Symbol.asyncIterator in results)) return yield* lastMessages(results)
  try {
    for await (const result of results) yield next(result)
  } catch (error) {
    // The client connects again, because it has not received the message `complete`.
    if (!(error instanceof ProcessStops)) yield* lastMessages({ errors: renderThrown(request, error) })
  }
}

function* lastMessages(result: FormattedExecutionResult): Generator<string, void, void> {
  yield next(result)
  yield print({ event: 'complete', data: null })
}

function next(result: FormattedExecutionResult): string {
  return print({ event: 'next', data: result as never })
}

/** Requests messages as fast as the client reads. Disconnects a client that reads nothing between two heartbeats. */
export function sendEventStream(reply: FastifyReply, messages: AsyncIterable<string>): FastifyReply {
  let onRead = () => {}
  let isStalled = false
  const stream = new Readable({
    read: () => {
      isStalled = false
      onRead()
    },
  })
  const timer = setInterval(() => {
    if (stream.readableLength === 0) stream.push(heartbeat)
    else if (isStalled) stream.destroy()
    else isStalled = true
  }, heartbeatMs)
  stream.once('close', () => {
    clearInterval(timer)
    onRead()
  })
  reply.raw.once('close', () => reply.raw.writableFinished || logResponse(reply))
  stream.push(heartbeat)
  const untilRead = () =>
    new Promise<void>((resolve) => {
      onRead = resolve
    })
  feed(stream, messages, untilRead).catch((error) => stream.destroy(error))
  // Without the first header, nginx collects the events before it sends them.
  return reply
    .code(200)
    .headers({ 'x-accel-buffering': 'no', 'cache-control': 'no-store' })
    .type('text/event-stream; charset=utf-8')
    .send(stream)
}

async function feed(stream: Readable, messages: AsyncIterable<string>, untilRead: () => Promise<void>) {
  for await (const message of messages) {
    if (stream.destroyed) return
    if (!stream.push(message)) await untilRead()
  }
  stream.push(null)
}
