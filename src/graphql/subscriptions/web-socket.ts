import { setMaxListeners } from 'node:events'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { callerKey } from '../../context.ts'
import { type AppError, type ErrorCode, toAppError } from '../../errors.ts'
import { counters } from '../../platform/metrics.ts'
import { FairSlots } from '../../platform/scheduling/fair-slots.ts'
import { type Credentials, socketCredentials } from '../callers/credentials.ts'
import { renderExecutionErrors, renderThrown, toHTTPFailure } from '../errors.ts'
import { type Parameters, readParameters } from '../http.ts'
import { Budget } from '../limits/budget.ts'
import { connectionClosed, Deadline } from '../limits/deadline.ts'
import type { LimitedRunner } from '../operations/run-operation.ts'
import type { GraphQLOptions } from '../options.ts'
import { ProcessStops } from './open-streams.ts'
import { openSubscription } from './open-subscription.ts'
import { Protocol } from './protocol.ts'
import { maxInWork, SocketConnection } from './socket-connection.ts'
import type { ResultStream } from './subscription.ts'

type Client = {
  connection: SocketConnection
  socket: WebSocket
  request: FastifyRequest
  closed: AbortController
  credentials: Credentials
  /** The address of the client, until it is known who it is. */
  caller: string
}

const closings = counters(
  'skein_subscription_closed_total',
  'The WebSockets that were closed, by their close code.',
  ['code'],
)
const countedCodes = new Set([
  1000, 1001, 1005, 1006, 1009, 1013, 4400, 4401, 4403, 4406, 4408, 4409, 4429, 4500,
])

const goingAway = 1001
const tryAgainLater = 1013
const codes: { [code in ErrorCode]?: number } = {
  unauthenticated: CloseCode.Forbidden,
  forbidden: CloseCode.Forbidden,
  invalid_input: CloseCode.BadRequest,
  unavailable: tryAgainLater,
  timeout: tryAgainLater,
}

/** Returns the handler of WebSockets that speak graphql-transport-ws. The limits of requests apply. */
export function webSocketHandler(app: FastifyInstance, options: GraphQLOptions, run: LimitedRunner) {
  const { schema } = app.graphql
  // The sockets of a caller share these slots. Otherwise, many sockets would start thousands of operations at once.
  const inWork = new FairSlots({ total: Number.POSITIVE_INFINITY, each: maxInWork })

  async function connect(client: Client, params: Record<string, unknown>): Promise<boolean> {
    const { socket, request } = client
    const deadline = new Deadline(options.timeoutSeconds)
    try {
      const credentials = socketCredentials(request, params)
      const { actor } = await deadline.run(socket, () =>
        options.contextOf(request, deadline.signal, credentials),
      )
      client.credentials = credentials
      client.caller = callerKey(actor)
      return true
    } catch (error) {
      closeWith(client, toHTTPFailure(request, error))
      return false
    }
  }

  async function open(client: Client, payload: unknown): Promise<ResultStream | FormattedExecutionResult> {
    const { request, credentials, closed } = client
    const parameters = readParameters(payload)
    const opening = { request, parameters, credentials, closed: closed.signal }
    return (await openSubscription(schema, options, opening)) ?? runOnce(client, parameters)
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
    return {
      ...(data !== undefined && { data }),
      ...(errors && { errors: renderExecutionErrors(request, errors) }),
    }
  }

  return (socket: WebSocket, request: FastifyRequest): void => {
    const connection = new SocketConnection(socket, request.log, options.messagesPerSecond)
    const closed = new AbortController()
    const client = { connection, socket, request, closed, credentials: {}, caller: request.ip }
    // Each subscription adds a listener.
    setMaxListeners(0, client.closed.signal)
    const protocol = new Protocol(connection, {
      connect: (params) => connect(client, params),
      run: (payload) => open(client, payload),
      errorsOf: (error) => errorsOf(client, error),
    })
    if (socket.protocol === GRAPHQL_TRANSPORT_WS_PROTOCOL)
      connection.onMessage(async (text) => {
        const release = await inWork.acquire(client.caller)
        const received = socket.readyState === socket.OPEN ? protocol.receive(text) : Promise.resolve()
        await received.finally(release)
      })
    else connection.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable')
    socket.once('close', (code) => {
      client.closed.abort(connectionClosed())
      // The other side can send any code.
      closings({ code: countedCodes.has(code) ? String(code) : 'other' }).add()
      request.log.info({ route: options.path, code, ...request.logFields }, 'WebSocket closed')
      protocol.end()
    })
  }
}

/** Returns what the client sees of an error. If the client's credentials have ended, also closes the socket. */
function errorsOf(client: Client, error: unknown): GraphQLFormattedError[] {
  if (error instanceof ProcessStops) {
    client.connection.close(goingAway, 'The process stops')
    return []
  }
  const failure = toAppError(error)
  if (failure.code === 'unauthenticated') closeWith(client, failure)
  return renderThrown(client.request, error)
}

function closeWith({ connection }: Client, { code, message }: AppError): void {
  connection.close(codes[code] ?? CloseCode.InternalServerError, message)
}
