import { sessionEnds } from '../../accounts/sessions/session-ends.ts'
import type { Context } from '../../context.ts'
import { AppError, toAppError } from '../../errors.ts'
import { logFailure } from '../../http/outages.ts'
import type { Signal } from '../../platform/request-signal.ts'
import { Deadline } from '../limits/deadline.ts'
import type { Subscription } from './subscription.ts'

/** The credentials of an idle stream are checked this often. They are also checked once for each batch of events. */
const renewMs = 10_000
/** An app that is uninstalled still receives the event of its uninstallation, within this time. */
const farewellMs = 2000

/** Checks the credentials of a stream regularly, and when sessions of its account end. Returns how to stop. */
export function keepChecking(subscription: Subscription): () => void {
  const { context, end } = subscription
  const check = async (endWith: (failure: AppError) => void) => {
    const failure = await credentialFailure(subscription)
    if (failure) endWith(failure)
  }
  const timer = setInterval(() => void check((failure) => endSoon(subscription, failure)), renewMs).unref()
  const session = context.actor.kind === 'user' ? context.actor.session : undefined
  const stopListening =
    session &&
    sessionEnds(context.db).listen(session.accountID, () => void check((failure) => end.abort(failure)))
  return () => {
    clearInterval(timer)
    stopListening?.()
  }
}

/** Returns the context and the events to deliver. If the credentials ended, keeps only the event that reports this. */
export async function contextFor(
  subscription: Subscription,
  events: readonly unknown[],
  signal: Signal,
): Promise<{ context: Context; deliverable: readonly unknown[] }> {
  const { context: known, options } = subscription
  try {
    return { context: await renew(subscription, signal), deliverable: events }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    endSoon(subscription, error)
    const isFarewell = (event: unknown) => options.subscriptions.isFarewell(event, known.actor)
    return { context: known, deliverable: events.filter(isFarewell) }
  }
}

/** Checks the credentials again, and returns a context with the scopes that they have now. */
async function renew(
  { options, request, credentials, context }: Subscription,
  signal: Signal,
): Promise<Context> {
  const renewed = await options.contextOf(request, signal, credentials)
  context.actor = renewed.actor
  return renewed
}

/** Returns the reason why a stream failed: the failure of its credentials if they have ended, otherwise the error. */
export async function causeOf(subscription: Subscription, error: unknown): Promise<unknown> {
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
    // If the database is unavailable, the stream stays open, and the next check tries again.
    logFailure(request.server.log, error, 'the credentials of a stream cannot be checked', 'warn')
    return undefined
  }
}

function endSoon({ end }: Subscription, failure: AppError): void {
  setTimeout(() => end.abort(failure), farewellMs).unref()
}
