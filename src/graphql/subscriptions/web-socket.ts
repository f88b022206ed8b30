import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  parse,
} from 'graphql'
import { CloseCode, makeServer } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { type AppError, type ErrorCode, toAppError } from '../../errors.ts'
import { type Credentials, socketCredentials } from '../credentials.ts'
import { renderExecutionErrors, renderThrown } from '../errors.ts'
import { type Parameters, readParameters } from '../http.ts'
import { Budget } from '../limits/budget.ts'
import { Deadline } from '../limits/deadline.ts'
import type { GraphQLOptions } from '../options.ts'
import type { LimitedRunner } from '../run-operation.ts'
import { ProcessStops } from './open-streams.ts'
import { openSubscription } from './open-subscription.ts'
import { connectionTo } from './socket-connection.ts'

type Client = {
  socket: WebSocket
  request: FastifyRequest
  closed: AbortController
  credentials: Credentials
}

const tryAgainLater = 1013
const codes: { [code in ErrorCode]?: number } = {
  unauthenticated: CloseCode.Forbidden,
  forbidden: CloseCode.Forbidden,
  invalid_input: CloseCode.BadRequest,
  unavailable: tryAgainLater,
  timeout: tryAgainLater,
}
const maxReasonBytes = 120

/** graphql-ws only looks whether the document has an operation. This file runs the source that the client sent. */
const anyDocument = parse('{ __typename }')

/** Returns the handler of WebSockets that speak graphql-transport-ws. The limits are those of requests. */
export function webSocketHandler(app: FastifyInstance, options: GraphQLOptions, run: LimitedRunner) {
  const { schema } = app.graphql

  async function connect(
    { socket, request, closed }: Client,
    params: Record<string, unknown>,
  ): Promise<Credentials | undefined> {
    try {
      const credentials = socketCredentials(request, params)
      await options.contextOf(request, closed.signal, credentials)
      return credentials
    } catch (error) {
      closeWith(socket, toAppError(error))
      return undefined
    }
  }

  async function open(client: Client, parameters: Parameters) {
    const { socket, request, credentials, closed } = client
    const stream = await openSubscription(schema, options, {
      request,
      parameters,
      credentials,
      closed: closed.signal,
    })
    if (!stream) return runOnce(client, parameters)
    return Symbol.asyncIterator in stream ? untilFailure(stream, request, socket) : stream
  }

  async function runOnce(
    { socket, request, credentials }: Client,
    { source, ...parameters }: Parameters,
  ): Promise<FormattedExecutionResult> {
    const deadline = new Deadline(options.timeoutSeconds)
    const context = await options.contextOf(request, deadline.signal, credentials)
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
        return renderThrown(extra.request, error).map(asGraphQLError)
      }
    },
    execute: ({ contextValue }) => contextValue as never,
    // By default, graphql-ws renders the errors of a result again, and fails because they are rendered already.
    onNext: (_connection, _id, _payload, _args, result) => result as ExecutionResult,
  })

  return (socket: WebSocket, request: FastifyRequest): void => {
    const client = { socket, request, closed: new AbortController(), credentials: {} }
    const onClose = server.opened(connectionTo(socket, request), client)
    socket.once('close', (code, reason) => {
      client.closed.abort()
      request.log.info({ route: options.path, code, ...request.logFields }, 'WebSocket closed')
      onClose(code, String(reason))
    })
  }
}

/** Ends a stream with the error that the client sees. If its credentials have ended, closes the socket, too. */
async function* untilFailure(
  results: AsyncIterable<FormattedExecutionResult>,
  request: FastifyRequest,
  socket: WebSocket,
) {
  try {
    yield* results
  } catch (error) {
    if (error instanceof ProcessStops) return socket.close(1001, 'The process stops')
    const failure = toAppError(error)
    if (failure.code === 'unauthenticated') closeWith(socket, failure)
    const [rendered] = renderThrown(request, error)
    throw rendered ? asGraphQLError(rendered) : error
  }
}

function closeWith(socket: WebSocket, { code, message }: AppError): void {
  socket.close(codes[code] ?? CloseCode.InternalServerError, Buffer.from(message).subarray(0, maxReasonBytes))
}

function asGraphQLError({ message, extensions, path }: GraphQLFormattedError): GraphQLError {
  return new GraphQLError(message, { extensions: extensions ?? null, path: path ?? null })
}
