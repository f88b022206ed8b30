import { createSourceEventStream, execute, type FormattedExecutionResult } from 'graphql'
import { type Context, callerKey } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { partialOutageOf, renderExecutionErrors } from '../errors.ts'
import { Budget } from '../limits/budget.ts'
import { Deadline } from '../limits/deadline.ts'
import type { CallContext } from '../run-operation.ts'
import { closable } from './closable.ts'
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

async function* results(subscription: Subscription, events: AsyncIterable<unknown>): ResultStream {
  const { end } = subscription
  const timer = keepChecking(subscription)
  try {
    for await (const event of events) {
      const result = await resultOf(subscription, event)
      if (result) yield result
    }
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

/** Executes the selection for an event, with the rights that the caller has now. */
async function resultOf(
  subscription: Subscription,
  event: unknown,
): Promise<FormattedExecutionResult | undefined> {
  const deadline = new Deadline(subscription.options.timeoutSeconds)
  return deadline.limit(async () => {
    const context = await contextFor(subscription, event, deadline.signal)
    return context && run(subscription, event, { context, deadline })
  })
}

async function run(
  { schema, document, options, request, parameters, cost }: Subscription,
  event: unknown,
  { context, deadline }: { context: Context; deadline: Deadline },
): Promise<FormattedExecutionResult> {
  const { operationName, variables } = parameters
  const budget = new Budget(options.rateLimits, options.quotas, context.actor)
  await budget.spend(cost)
  const call = { request, readOnly: true, deadline, budget, operationName, variables }
  const contextValue: CallContext = { ...context, call }
  const variableValues = variables ?? {}
  const result = await options.operationsAtOnce.runEvent(
    callerKey(context.actor),
    deadline.signal,
    async () => execute({ schema, document, rootValue: event, contextValue, variableValues, operationName }),
  )
  // The client receives the event again when it continues after its last cursor.
  const outage = partialOutageOf(result)
  if (outage) throw outage
  const { data, errors } = result
  return { data: data ?? null, ...(errors && { errors: renderExecutionErrors(request, errors) }) }
}
