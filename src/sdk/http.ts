import pRetry from 'p-retry'
import { type FieldError, noAnswer, noteAnswer, SkeinError } from './errors.ts'
import type { Pace } from './pace.ts'

/** What has less time left is not begun. */
const leastMs = 50

export type Fetch = typeof globalThis.fetch

/** How long a call may take, and how often it is tried. */
export type CallOptions = {
  /** Ends the call, which then rejects with the signal's reason, as `fetch` does. */
  signal?: AbortSignal
  /** How often it is tried again where that is safe; 5 times unless told. */
  retries?: number
  /** What one attempt may take, in milliseconds: 30,000 unless told, 300,000 for an upload. */
  attemptTimeoutMs?: number
  /** What all attempts may take with the pauses between them, in milliseconds: 120,000 unless told, 900,000 for an upload. */
  timeoutMs?: number
}

/** The answer to one request. `body` is what its JSON says, and undefined where it is none. */
export type Answer = {
  host: string
  status: number
  ok: boolean
  body: unknown
  requestID: string | undefined
  retryAfterSeconds: number | undefined
}

/** Sends one request. Throws NO_ANSWER; a status is no failure here. */
export async function exchange(fetch: Fetch, url: string, init: RequestInit): Promise<Answer> {
  try {
    // To follow a redirect would take the credentials to wherever it leads.
    const response = await fetch(url, { redirect: 'manual', ...init })
    noteAnswer(url)
    const { status, ok, headers } = response
    return {
      host: new URL(url).host,
      status,
      ok,
      body: fromJSON(await response.text()),
      requestID: headers.get('x-request-id') ?? undefined,
      retryAfterSeconds: secondsUntil(headers.get('retry-after')),
    }
  } catch (error) {
    throw noAnswer(error, url)
  }
}

type Failure = { code?: string; reason?: string; message?: string; errors?: FieldError[]; requestID?: string }

/** The error for an answer that tells of a failure. One that tells of none is not from where it should be. */
export function failureIn(answer: Answer, { code, reason, message, errors, requestID }: Failure): SkeinError {
  const { host, status, retryAfterSeconds } = answer
  const details = { status, retryAfterSeconds, reason, errors, requestID: requestID ?? answer.requestID }
  if (code !== undefined) return new SkeinError(code, message ?? `The status is ${status}.`, details)
  return new SkeinError(
    'UNEXPECTED_ANSWER',
    `The answer from ${host}, with the status ${status}, is not from Skein.`,
    details,
  )
}

/** RFC 9457, with what the service adds. */
type Problem = { code: string; reason: string; detail: string; errors: FieldError[] }

/** What an address answers that has problems for its failures. Throws SkeinError. */
export function resultIn<T>(answer: Answer): T {
  if (answer.ok && answer.body) return answer.body as T
  const { code, reason, detail, errors } = { ...(answer.body as Partial<Problem>) }
  throw failureIn(answer, { code, reason, message: detail, errors })
}

/**
 * Runs an attempt, and where `isRepeatable` again and again while it fails with what is temporary: after pauses that
 * double, or later where the answer says so (`Retry-After`), as often and as long as the options allow. Throws what
 * the last attempt threw, or what the signal was aborted with. Nothing is sent while the pace forbids it.
 */
export async function repeat<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  options: CallOptions & { isRepeatable: boolean; pace: Pace },
): Promise<T> {
  const { isRepeatable, pace, signal, retries = 5, attemptTimeoutMs = 30_000, timeoutMs = 120_000 } = options
  const endsAt = performance.now() + timeoutMs
  let notBefore = 0
  let failure: Error | undefined
  const untilAllowed = async () => {
    for (;;) {
      const waitMs = Math.max(notBefore - performance.now(), pace.waitMs)
      if (waitMs <= 0) return
      if (performance.now() + waitMs >= endsAt) throw failure ?? pace.refusal()
      await sleep(waitMs, signal)
    }
  }
  const once = async () => {
    await untilAllowed()
    const leftMs = Math.floor(endsAt - performance.now())
    if (failure && leftMs < leastMs) throw failure
    const limit = AbortSignal.timeout(Math.max(0, Math.min(attemptTimeoutMs, leftMs)))
    return attempt(signal ? AbortSignal.any([signal, limit]) : limit)
  }
  const shouldRetry = ({ error }: { error: Error }) => {
    if (!(error instanceof SkeinError && error.isTemporary)) return false
    failure = error
    notBefore = performance.now() + (error.retryAfterSeconds ?? 0) * 1000
    return notBefore < endsAt
  }
  const pauses = { minTimeout: 250, maxTimeout: 8000, randomize: true, maxRetryTime: timeoutMs }
  try {
    return await pRetry(once, { ...pauses, retries: isRepeatable ? retries : 0, shouldRetry, signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

/** The same promise, but an abort ends the waiting for it. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  const listening = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: listening.signal })
  })
  return Promise.race([promise, aborted]).finally(() => listening.abort())
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await orAborted(passed, signal).finally(() => clearTimeout(timer))
}

/** RFC 9110 10.2.3: seconds, or a date. */
function secondsUntil(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function fromJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
