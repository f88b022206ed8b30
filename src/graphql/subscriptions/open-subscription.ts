import type { FastifyRequest } from 'fastify'
import type { FormattedExecutionResult, GraphQLSchema } from 'graphql'
import { callerKey } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Credentials } from '../credentials.ts'
import type { Parameters } from '../http.ts'
import { Budget } from '../limits/budget.ts'
import { limitCost } from '../limits/cost.ts'
import { limitSource } from '../limits/limits.ts'
import { points } from '../limits/points.ts'
import { analysisOf } from '../operation-analysis.ts'
import type { GraphQLOptions } from '../options.ts'
import { parseInTurns } from '../run-operation.ts'
import { type ResultStream, start } from './subscription.ts'

type OpenRequest = {
  request: FastifyRequest
  parameters: Parameters
  /** By default, the headers of the request. */
  credentials?: Credentials
  /** Aborts when the client has closed the connection or the stream. */
  closed: AbortSignal
}

/** Opens a subscription within the limits of queries. Resolves to undefined if the operation is not a subscription. */
export async function openSubscription(
  schema: GraphQLSchema,
  options: GraphQLOptions,
  { request, parameters, credentials, closed }: OpenRequest,
): Promise<ResultStream | FormattedExecutionResult | undefined> {
  const { source, operationName, variables } = parameters
  if (!source.includes('subscription')) return undefined
  const { actor } = await options.contextOf(request, closed, credentials)
  // A signal that has aborted tells it to no new listener. The subscription would stay open.
  if (closed.aborted)
    throw new AppError('invalid_input', 'The connection was closed before the stream began.')
  const end = options.openStreams.open(callerKey(actor))
  closed.addEventListener('abort', () => end.abort(), { once: true })
  try {
    const budget = new Budget(options.rateLimits, options.quotas, actor)
    const context = await options.contextOf(request, end.signal, credentials)
    limitSource(source)
    await budget.spend(Math.ceil(points.character * source.length))
    const document = await parseInTurns(schema, source, context)
    const analysis = analysisOf(schema, document, operationName)
    if (analysis?.operation.operation !== 'subscription') return void end.abort()
    const cost = limitCost(analysis.extent, variables)
    await budget.spend(cost)
    return await start({ schema, options, request, credentials, context, end, document, parameters, cost })
  } catch (error) {
    end.abort()
    throw error
  }
}
