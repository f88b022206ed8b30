import { createSourceEventStream, execute as executeOperation, type FormattedExecutionResult } from 'graphql'
import { type Context, callerKey } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { charactersPerNode, inTurns } from '../../platform/scheduling/in-turns.ts'
import { partialOutageOf, renderExecutionErrors } from '../errors.ts'
import { Budget } from '../limits/budget.ts'
import { Deadline } from '../limits/deadline.ts'
import type { CallContext } from '../operations/run-operation.ts'
import { causeOf, contextFor, keepChecking } from './credential-checks.ts'
import { ProcessStops } from './open-streams.ts'
import type { ResultStream, Subscription } from './subscription.ts'

/** Starts a subscription. Resolves to its results, or to errors if the arguments are refused. */
export async function startSubscription(
  subscription: Subscription,
): Promise<ResultStream | FormattedExecutionResult> {
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
  const stopChecking = keepChecking(subscription)
  try {
    for await (const events of batches) yield* affordable(subscription, events as readonly unknown[])
  } catch (error) {
    // A statement in flight fails with the reason for which the stream ends.
    if (!end.signal.aborted) throw await causeOf(subscription, error)
  } finally {
    stopChecking()
    end.abort()
  }
  const { reason } = end.signal
  if (reason instanceof AppError || reason instanceof ProcessStops) throw reason
}

/** Yields the results of events until the caller has too few points for the next event. Then throws. */
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
    const { context, deliverable } = await contextFor(subscription, events, deadline.signal)
    return deliverable.length > 0 ? execute(subscription, { context, deadline, events: deliverable }) : []
  })
}

type Execution = { context: Context; deadline: Deadline; events: readonly unknown[] }

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

type Results<T> = AsyncGenerator<T, void, void>

/**
 * Makes `return` call `close` first. Otherwise `return` would wait for the next result of the generator, or,
 * if the generator has not started, would not run its `finally`.
 */
function closable<T>(results: Results<T>, close: () => void): Results<T> {
  const finish = results.return.bind(results)
  results.return = (value) => {
    close()
    return finish(value)
  }
  return results
}
