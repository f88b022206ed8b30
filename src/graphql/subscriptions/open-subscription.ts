import { setMaxListeners } from 'node:events'
import type { FastifyRequest } from 'fastify'
import type { FormattedExecutionResult, GraphQLSchema } from 'graphql'
import { type Context, callerKey } from '../../context.ts'
import type { Credentials } from '../callers/credentials.ts'
import type { Parameters } from '../http.ts'
import { Budget } from '../limits/budget.ts'
import { limitCost } from '../limits/cost.ts'
import { Deadline } from '../limits/deadline.ts'
import { limitSource } from '../limits/limits.ts'
import { points } from '../limits/points.ts'
import { analysisOf } from '../operations/operation-analysis.ts'
import { logOperation, parseInTurns } from '../operations/run-operation.ts'
import type { GraphQLOptions } from '../options.ts'
import { startSubscription } from './start-subscription.ts'
import type { ResultStream } from './subscription.ts'

type OpenRequest = {
  request: FastifyRequest
  parameters: Parameters
  /** By default, the credentials in the headers of the request. */
  credentials?: Credentials
  closed: AbortSignal
}

type Opened = ResultStream | FormattedExecutionResult | undefined

/** Opens a subscription within the limits of queries. Resolves to undefined if the operation is not a subscription. */
export async function openSubscription(
  schema: GraphQLSchema,
  options: GraphQLOptions,
  opening: OpenRequest,
): Promise<Opened> {
  const { request, parameters, credentials, closed } = opening
  if (!parameters.source.includes('subscription')) return undefined
  const end = endedBy(closed)
  const deadline = new Deadline(options.timeoutSeconds)
  try {
    return await deadline.limit(async () => {
      const context = await options.contextOf(request, end.signal, credentials)
      return options.operationsAtOnce.run(callerKey(context.actor), deadline.signal, () =>
        open(schema, options, { ...opening, context, end }),
      )
    })
  } catch (error) {
    end.abort(error)
    throw error
  }
}

function endedBy(closed: AbortSignal): AbortController {
  closed.throwIfAborted()
  const end = new AbortController()
  // Each read in flight adds a listener. Node warns from the eleventh on.
  setMaxListeners(0, end.signal)
  closed.addEventListener('abort', () => end.abort(closed.reason), { signal: end.signal })
  return end
}

async function open(
  schema: GraphQLSchema,
  options: GraphQLOptions,
  { context, end, ...opening }: OpenRequest & { context: Context; end: AbortController },
): Promise<Opened> {
  const { request, parameters, credentials } = opening
  const { source, operationName, variables } = parameters
  const budget = new Budget(options.rateLimits, options.quotas, context.actor)
  limitSource(source)
  await budget.spend(Math.ceil(points.character * source.length))
  const document = await parseInTurns(schema, source, context)
  const analysis = analysisOf(schema, document, operationName)
  if (analysis?.operation.operation !== 'subscription') return void end.abort()
  logOperation(request, analysis.operation)
  const cost = limitCost(analysis.extent, variables)
  await budget.spend(cost)
  options.openStreams.add(callerKey(context.actor), end, credentials ? 'websocket' : 'sse')
  return startSubscription({
    schema,
    options,
    request,
    credentials,
    context,
    end,
    document,
    parameters,
    cost,
  })
}
