import type { FastifyRequest } from 'fastify'
import {
  createSourceEventStream,
  type DocumentNode,
  execute as executeOperation,
  type FormattedExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import { type Context, callerKey } from '../../context.ts'
import { AppError, toAppError } from '../../errors.ts'
import { charactersPerNode, inTurns } from '../../platform/in-turns.ts'
import type { Credentials } from '../credentials.ts'
import { partialOutageOf, renderExecutionErrors } from '../errors.ts'
import type { Parameters } from '../http.ts'
import { Budget } from '../limits/budget.ts'
import { Deadline } from '../limits/deadline.ts'
import type { GraphQLOptions } from '../options.ts'
import type { CallContext } from '../run-operation.ts'
import { closable } from './closable.ts'
import { ProcessStops } from './open-streams.ts'

/** The credentials of an idle stream are checked this often. Events that arrive together check them once. */
const renewMs = 10_000
/** An app that is uninstalled still receives the event of its uninstallation, within this time. */
const farewellMs = 2000

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
  /** The price of the operation, which each event pays. */
  cost: number
}

/**
 * Results until the client closes the stream. Throws an AppError if the caller may no longer follow it, and ProcessStops
 * if the process stops.
 */
export type ResultStream = AsyncGenerator<FormattedExecutionResult, void, void>

/** Starts a subscription. Resolves to its results, or to errors if the arguments are refused. */
export async function start(subscription: Subscription): Promise<ResultStream | FormattedExecutionResult> {
  const { schema, document, request, context, end } = subscription
  const { operationName, variables } = subscription.parameters
  const args = { schema, document, contextValue: context, variableValues: variables ?? {}, operationName }
  const events = await createSourceEventStream(args)
  if (Symbol.asyncIterator in events) return closable(results(subscription, events), () => end.abort())
  end.abort()
  return { errors: renderExecutionErrors(request, events.errors ?? []) }
}

async function* results(subscription: Subscription, batches: AsyncIterable<unknown>): ResultStream {
  const { end } = subscription
  const timer = setInterval(() => void endWithoutRight(subscription), renewMs).unref()
  try {
    for await (const events of batches) yield* affordable(subscription, events as readonly unknown[])
  } catch (error) {
    // A statement in flight fails with the reason for which the stream ends.
    if (!end.signal.aborted) throw await causeOf(subscription, error)
  } finally {
    clearInterval(timer)
    end.abort()
  }
  const { reason } = end.signal
  if (reason instanceof AppError || reason instanceof ProcessStops) throw reason
}

/** Results of the events for which the caller has points. Throws at the first event that is too expensive. */
async function* affordable(subscription: Subscription, events: readonly unknown[]): ResultStream {
  try {
    yield* await resultsOf(subscription, events)
  } catch (error) {
    const isTooExpensive =
      error instanceof AppError && ['rate_limited', 'limit_exceeded'].includes(error.code)
    if (!isTooExpensive || events.length === 1) throw error
    const middle = Math.ceil(events.length / 2)
    yield* affordable(subscription, events.slice(0, middle))
    yield* affordable(subscription, events.slice(middle))
  }
}

/** Executes the selection for each event, with the rights that the caller has after the events were read. */
async function resultsOf(
  subscription: Subscription,
  events: readonly unknown[],
): Promise<FormattedExecutionResult[]> {
  const deadline = new Deadline(subscription.options.timeoutSeconds)
  return deadline.limit(async () => {
    const execution = await executionFor(subscription, events, deadline)
    return execution.events.length > 0 ? execute(subscription, execution) : []
  })
}

type Execution = { context: Context; deadline: Deadline; events: readonly unknown[] }

/** If the credentials have ended, leaves only the farewell, for which the stream continues for a moment. */
async function executionFor(
  subscription: Subscription,
  events: readonly unknown[],
  deadline: Deadline,
): Promise<Execution> {
  const { context: known, options } = subscription
  try {
    return { context: await renew(subscription, deadline.signal), deadline, events }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    endSoon(subscription, error)
    const farewells = events.filter((event) => options.subscriptions.isFarewell(event, known.actor))
    return { context: known, deadline, events: farewells }
  }
}

/** Executes all events together, in one slot, because this batches their look-ups. */
async function execute(
  { schema, document, options, request, parameters, cost }: Subscription,
  { context, deadline, events }: Execution,
): Promise<FormattedExecutionResult[]> {
  const { operationName, variables = {} } = parameters
  const budget = new Budget(options.rateLimits, options.quotas, context.actor)
  await budget.spend(cost * events.length)
  const call = { request, readOnly: true, deadline, budget, operationName, variables }
  const contextValue: CallContext = { ...context, call }
  const args = { schema, document, contextValue, variableValues: variables, operationName }
  const executeEvent = (event: unknown) =>
    inTurns(context.db, charactersPerNode, async () => executeOperation({ ...args, rootValue: event }))
  const results = await options.operationsAtOnce.runEvent(callerKey(context.actor), deadline.signal, () =>
    Promise.all(events.map(executeEvent)),
  )
  return results.map((result) => {
    // The client receives the event again when it continues after its last cursor.
    const outage = partialOutageOf(result)
    if (outage) throw outage
    const { data, errors } = result
    return { data: data ?? null, ...(errors && { errors: renderExecutionErrors(request, errors) }) }
  })
}

/** Checks the credentials again, and returns a context with the scopes that they have now. */
async function renew(
  { options, request, credentials, context }: Subscription,
  signal: AbortSignal,
): Promise<Context> {
  const renewed = await options.contextOf(request, signal, credentials)
  context.actor = renewed.actor
  return renewed
}

async function endWithoutRight(subscription: Subscription): Promise<void> {
  const failure = await credentialFailure(subscription)
  if (failure) endSoon(subscription, failure)
}

/** Returns why a stream failed. An object may only be hidden because the credentials have ended. */
async function causeOf(subscription: Subscription, error: unknown): Promise<unknown> {
  return toAppError(error).status >= 500 ? error : ((await credentialFailure(subscription)) ?? error)
}

async function credentialFailure(subscription: Subscription): Promise<AppError | undefined> {
  const { options, request } = subscription
  const deadline = new Deadline(options.timeoutSeconds)
  try {
    await deadline.limit(() => renew(subscription, deadline.signal))
    return undefined
  } catch (error) {
    const failure = toAppError(error)
    if (failure.status < 500) return failure
    // If the database is unavailable, the stream waits for it.
    request.log.warn({ err: error }, 'a stream cannot be checked')
    return undefined
  }
}

function endSoon({ end }: Subscription, failure: AppError): void {
  setTimeout(() => end.abort(failure), farewellMs).unref()
}
