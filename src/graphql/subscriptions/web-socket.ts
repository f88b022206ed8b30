import { setMaxListeners } from 'node:events'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError, parse } from 'graphql'
import { CloseCode, makeServer } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { type AppError, type ErrorCode, toAppError } from '../../errors.ts'
import { type Credentials, socketCredentials } from '../callers/credentials.ts'
import { renderExecutionErrors, renderThrown, toHTTPFailure } from '../errors.ts'
import { type Parameters, readParameters } from '../http.ts'
import { Budget } from '../limits/budget.ts'
import { connectionClosed, Deadline } from '../limits/deadline.ts'
import type { LimitedRunner } from '../operations/run-operation.ts'
import type { GraphQLOptions } from '../options.ts'
import { closable } from './closable.ts'
import { ProcessStops } from './open-streams.ts'
import { openSubscription } from './open-subscription.ts'
import { connectionTo } from './socket-connection.ts'
import type { ResultStream } from './subscription.ts'

type Client = {
  socket: WebSocket
  request: FastifyRequest
  closed: AbortController
  credentials: Credentials
}

const goingAway = 1001
const tryAgainLater = 1013
const codes: { [code in ErrorCode]?: number } = {
  unauthenticated: CloseCode.Forbidden,
  forbidden: CloseCode.Forbidden,
  invalid_input: CloseCode.BadRequest,
  unavailable: tryAgainLater,
  timeout: tryAgainLater,
}
const maxReasonBytes = 120

/** graphql-ws only checks that the document has an operation. This file runs the document that the client sent. */
const anyDocument = parse('{ __typename }')

/** Returns the handler of WebSockets that speak graphql-transport-ws. The limits of requests apply. */
export function webSocketHandler(app: FastifyInstance, options: GraphQLOptions, run: LimitedRunner) {
  const { schema } = app.graphql

  async function connect(
    { socket, request }: Client,
    params: Record<string, unknown>,
  ): Promise<Credentials | undefined> {
    const deadline = new Deadline(options.timeoutSeconds)
    try {
      const credentials = socketCredentials(request, params)
      await deadline.run(socket, () => options.contextOf(request, deadline.signal, credentials))
      return credentials
    } catch (error) {
      closeWith(socket, toHTTPFailure(request, error))
      return undefined
    }
  }

  async function open(client: Client, parameters: Parameters) {
    const { request, credentials, closed } = client
    const opening = { request, parameters, credentials, closed: closed.signal }
    const stream = await openSubscription(schema, options, opening)
    if (!stream) return runOnce(client, parameters)
    return Symbol.asyncIterator in stream
      ? closable(untilFailure(client, stream), () => void stream.return())
      : stream
  }

  async function runOnce(
    { socket, request, credentials }: Client,
    { source, ...parameters }: Parameters,
  ): Promise<FormattedExecutionResult> {
    const deadline = new Deadline(options.timeoutSeconds)
    const context = await deadline.run(socket, () => options.contextOf(request, deadline.signal, credentials))
    const budget = new Budget(options.rateLimits, options.quotas, context.actor)
    const call = { request, readOnly: false, deadline, budget, ...parameters }
    const { data, errors } = await run(source, { ...context, call }, socket)
    if (deadline.isMutation) app.eventLog.wake()
    return { data: data ?? null, ...(errors && { errors: renderExecutionErrors(request, errors) }) }
  }

  const server = makeServer<Record<string, unknown>, Client>({
    onConnect: async ({ extra, connectionParams }) => {
      const credentials = await connect(extra, connectionParams ?? {})
      if (credentials) extra.credentials = credentials
      return credentials !== undefined
    },
    onSubscribe: async ({ extra }, _id, payload) => {
      try {
        const contextValue = await open(extra, readParameters(payload))
        return { schema, document: anyDocument, contextValue }
      } catch (error) {
        return failureOf(extra, error)
      }
    },
    execute: ({ contextValue }) => contextValue as never,
    // Replaces the rendering of graphql-ws, because the errors are already rendered.
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
  })

  return (socket: WebSocket, request: FastifyRequest): void => {
    const client = { socket, request, closed: new AbortController(), credentials: {} }
    // Each subscription adds a listener.
    setMaxListeners(0, client.closed.signal)
    const onClose = server.opened(connectionTo(socket, request), client)
    socket.once('close', (code, reason) => {
      client.closed.abort(connectionClosed())
      request.log.info({ route: options.path, code, ...request.logFields }, 'WebSocket closed')
      onClose(code, String(reason)).catch((err) => request.log.error({ err }, 'a WebSocket did not end'))
    })
  }
}

/** Ends a stream with the error that the client sees. */
async function* untilFailure(client: Client, results: ResultStream) {
  try {
    yield* results
  } catch (error) {
    if (error instanceof ProcessStops) return client.socket.close(goingAway, 'The process stops')
    throw failureOf(client, error)[0]
  }
}

/** Returns what the client sees of an error. If the client's credentials have ended, also closes the socket. */
function failureOf({ socket, request }: Client, error: unknown): GraphQLError[] {
  const failure = toAppError(error)
  if (failure.code === 'unauthenticated') closeWith(socket, failure)
  return renderThrown(request, error).map(asGraphQLError)
}

function closeWith(socket: WebSocket, { code, message }: AppError): void {
  socket.close(codes[code] ?? CloseCode.InternalServerError, Buffer.from(message).subarray(0, maxReasonBytes))
}

function asGraphQLError({ message, extensions, path, locations }: GraphQLFormattedError): GraphQLError {
  const options = { extensions: extensions ?? null, path: path ?? null }
  const rendered = new GraphQLError(message, options)
  return Object.assign(rendered, { toJSON: () => ({ message, locations, path, extensions }) })
}
