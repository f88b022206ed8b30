import type { FastifyRequest } from 'fastify'
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type FormattedExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import { type Context, callerKey } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Credentials } from '../credentials.ts'
import { renderExecutionErrors } from '../errors.ts'
import type { Parameters } from '../http.ts'
import { Budget } from '../limits/budget.ts'
import { Deadline } from '../limits/deadline.ts'
import type { GraphQLOptions } from '../options.ts'
import type { CallContext } from '../run-operation.ts'
import { ProcessStops } from './open-streams.ts'

/** The credentials of an idle stream are checked this often. Each event checks them, too. */
const renewMs = 10_000
/** An app that is uninstalled still receives the event of its uninstallation, within this time. */
const farewellMs = 1000

/** `context` has the actor as of the last check. `end` ends the stream, with an error if its reason is an AppError. */
export type Subscription = {
  schema: GraphQLSchema
  options: GraphQLOptions
  request: FastifyRequest
  credentials: Credentials | undefined
  context: Context
  end: AbortController
  document: DocumentNode
  parameters: Parameters
  /** The cost of the operation, which is charged for each event. */
  cost: number
}

/**
 * Results until the client closes the stream. Throws an AppError if the caller loses the right to it, and ProcessStops
 * if the process stops.
 */
export type ResultStream = AsyncGenerator<FormattedExecutionResult, void, void>

/** Starts a subscription. Resolves to its results, or to errors if the arguments are refused. */
export async function start(subscription: Subscription): Promise<ResultStream | FormattedExecutionResult> {
  const { schema, document, options, request, context } = subscription
  const { operationName, variables } = subscription.parameters
  const deadline = new Deadline(options.timeoutSeconds)
  const args = { schema, document, contextValue: context, variableValues: variables ?? {}, operationName }
  const events = await deadline.limit(async () => createSourceEventStream(args))
  if (Symbol.asyncIterator in events) return results(subscription, events)
  subscription.end.abort()
  return { errors: renderExecutionErrors(request, events.errors ?? []) }
}

async function* results(subscription: Subscription, events: AsyncIterable<unknown>): ResultStream {
  const { end } = subscription
  const timer = setInterval(() => void endWithoutRight(subscription), renewMs).unref()
  try {
    for await (const event of events) yield await resultOf(subscription, event)
    const { reason } = end.signal
    if (reason instanceof AppError || reason instanceof ProcessStops) throw reason
  } finally {
    clearInterval(timer)
    end.abort()
  }
}

/** Executes the selection for an event, with the rights that the caller has now. */
async function resultOf(subscription: Subscription, event: unknown): Promise<FormattedExecutionResult> {
  const { schema, document, options, request, parameters, cost, context: known } = subscription
  const { operationName, variables } = parameters
  const deadline = new Deadline(options.timeoutSeconds)
  const context = await renew(subscription, deadline.signal).catch((error) => {
    if (options.subscriptions.isFarewell(event, known.actor)) return known
    throw error
  })
  const budget = new Budget(options.rateLimits, options.quotas, context.actor)
  await budget.spend(cost)
  const call = { request, readOnly: true, deadline, budget, operationName, variables }
  const contextValue: CallContext = { ...context, call }
  const args = {
    schema,
    document,
    rootValue: event,
    contextValue,
    variableValues: variables ?? {},
    operationName,
  }
  const { data, errors } = await options.operationsAtOnce.run(callerKey(context.actor), deadline.signal, () =>
    deadline.limit(async () => execute(args)),
  )
  return { data: data ?? null, ...(errors && { errors: renderExecutionErrors(request, errors) }) }
}

/** Checks the credentials again, and returns a context with the scopes that they have now. */
async function renew(subscription: Subscription, signal: AbortSignal): Promise<Context> {
  const { options, request, credentials, context } = subscription
  const renewed = await options.contextOf(request, signal, credentials)
  context.actor = renewed.actor
  return renewed
}

async function endWithoutRight(subscription: Subscription): Promise<void> {
  const { options, end, request } = subscription
  try {
    await renew(subscription, new Deadline(options.timeoutSeconds).signal)
  } catch (error) {
    // If the database is unavailable, the stream waits for it.
    if (!(error instanceof AppError))
      return void request.log.warn({ err: error }, 'a stream cannot be checked')
    setTimeout(() => end.abort(error), farewellMs).unref()
  }
}
