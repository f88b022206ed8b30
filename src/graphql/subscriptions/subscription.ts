import type { FastifyRequest } from 'fastify'
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FormattedExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import { type Context, callerKey } from '../../context.ts'
import { AppError, toAppError } from '../../errors.ts'
import { charactersPerNode, inTurns } from '../../platform/in-turns.ts'
import type { Credentials } from '../credentials.ts'
import { renderExecutionErrors } from '../errors.ts'
import type { Parameters } from '../http.ts'
import { Budget } from '../limits/budget.ts'
import { Deadline } from '../limits/deadline.ts'
import type { GraphQLOptions } from '../options.ts'
import type { CallContext } from '../run-operation.ts'
import { ProcessStops } from './open-streams.ts'

/** The credentials of an idle stream are checked this often. Events that arrive together check them once. */
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

async function* results(subscription: Subscription, batches: AsyncIterable<unknown>): ResultStream {
  const { end } = subscription
  const timer = setInterval(() => void endWithoutRight(subscription), renewMs).unref()
  try {
    for await (const events of batches) {
      const { delivered, failure } = await deliver(subscription, events as readonly unknown[])
      yield* delivered
      if (failure) throw failure
    }
    const { reason } = end.signal
    if (reason instanceof AppError || reason instanceof ProcessStops) throw reason
  } finally {
    clearInterval(timer)
    end.abort()
  }
}

type Delivered = { delivered: FormattedExecutionResult[]; failure?: unknown }

/** Executes the selection for each event, with the rights that the caller has after the events were read. */
async function deliver(subscription: Subscription, events: readonly unknown[]): Promise<Delivered> {
  const { options, context: known } = subscription
  const deadline = new Deadline(options.timeoutSeconds)
  try {
    const context = await renew(subscription, deadline.signal)
    return wholeOnly(subscription.request, await execution(subscription, { context, deadline, events }))
  } catch (failure) {
    const farewells = events.filter((event) => options.subscriptions.isFarewell(event, known.actor))
    if (farewells.length === 0) throw failure
    const results = await execution(subscription, { context: known, deadline, events: farewells })
    return { ...wholeOnly(subscription.request, results), failure }
  }
}

/**
 * Ends before the first event whose fields could not be loaded because the database was unavailable. A client that
 * continues after its last cursor receives this event whole.
 */
function wholeOnly(request: FastifyRequest, results: ExecutionResult[]): Delivered {
  const failures = results.map(({ errors = [] }) =>
    errors.map(({ originalError }) => originalError).find(isTemporary),
  )
  const failure = failures.find((error) => error)
  const whole = failure ? results.slice(0, failures.indexOf(failure)) : results
  const delivered = whole.map(({ data, errors }) => ({
    data: data ?? null,
    ...(errors && { errors: renderExecutionErrors(request, errors) }),
  }))
  return { delivered, failure }
}

function isTemporary(error: unknown): boolean {
  return toAppError(error).code === 'unavailable'
}

type Execution = { context: Context; deadline: Deadline; events: readonly unknown[] }

/** Executes the selection for all events together, so that their look-ups are batched. They take one slot. */
async function execution(
  { schema, document, options, request, parameters, cost }: Subscription,
  { context, deadline, events }: Execution,
): Promise<ExecutionResult[]> {
  const { operationName, variables = {} } = parameters
  const budget = new Budget(options.rateLimits, options.quotas, context.actor)
  await budget.spend(cost * events.length)
  const call = { request, readOnly: true, deadline, budget, operationName, variables }
  const contextValue: CallContext = { ...context, call }
  const args = { schema, document, contextValue, variableValues: variables, operationName }
  const run = (event: unknown) =>
    inTurns(context.db, charactersPerNode, async () => execute({ ...args, rootValue: event }))
  return options.operationsAtOnce.run(callerKey(context.actor), deadline.signal, () =>
    deadline.limit(() => Promise.all(events.map(run))),
  )
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
