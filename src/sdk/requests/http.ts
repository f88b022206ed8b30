import pRetry from 'p-retry'
import { type FieldError, noAnswer, recordResponse, SkeinError } from '../errors.ts'
import type { RateLimitState } from './rate-limit-state.ts'

/** If less time than this is left, the client does not start a retry. */
const leastMs = 50

export type Fetch = typeof globalThis.fetch

/** The abort signal, the retries and the time limits of a call. */
export type CallOptions = {
  /** Aborts the call, which then rejects with the reason of the signal, as `fetch` does. */
  signal?: AbortSignal
  /** The maximum number of retries of a call that is safe to repeat. 5 by default. */
  retries?: number
  /** The time limit of one attempt, in milliseconds. 30,000 by default, 300,000 for an upload. */
  attemptTimeoutMs?: number
  /** The time limit of all attempts and pauses, in milliseconds. 120,000 by default, 900,000 for an upload. */
  timeoutMs?: number
}

/** The response to one request. `body` is the parsed JSON, or undefined if the response is not JSON. */
export type HTTPResponse = {
  host: string
  status: number
  ok: boolean
  body: unknown
  requestID: string | undefined
  retryAfterSeconds: number | undefined
}

/** Sends one request. Throws NO_ANSWER if no complete response arrives. Does not throw for an error status. */
export async function exchange(fetch: Fetch, url: string, init: RequestInit): Promise<HTTPResponse> {
  try {
    return await readResponse(await send(fetch, url, init), url)
  } catch (error) {
    throw noAnswer(error, url)
  }
}

/** Sends one request. Resolves when the headers of the response have arrived. */
export async function send(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  // If fetch followed a redirect, it would send the credentials to the target.
  const response = await fetch(url, { redirect: 'manual', ...init })
  recordResponse(url)
  return response
}

export async function readResponse(response: Response, url: string): Promise<HTTPResponse> {
  const { status, ok, headers } = response
  return {
    host: new URL(url).host,
    status,
    ok,
    body: fromJSON(await response.text()),
    requestID: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: secondsUntil(headers.get('retry-after')),
  }
}

type Failure = { code?: string; reason?: string; message?: string; errors?: FieldError[]; requestID?: string }

/** Returns the error for a failed response. A response without an error code does not come from Skein. */
export function failureIn(
  response: HTTPResponse,
  { code, reason, message, errors, requestID }: Failure,
): SkeinError {
  const { host, status, retryAfterSeconds } = response
  const details = { status, retryAfterSeconds, reason, errors, requestID: requestID ?? response.requestID }
  if (code !== undefined) return new SkeinError(code, message ?? `The status is ${status}.`, details)
  return new SkeinError(
    'UNEXPECTED_ANSWER',
    `The answer from ${host}, with the status ${status}, is not from Skein.`,
    details,
  )
}

type Problem = { code: string; reason: string; detail: string; errors: FieldError[] }

/** Returns the body of a response. Throws the SkeinError that its problem details (RFC 9457) describe. */
export function resultIn<T>(response: HTTPResponse): T {
  if (response.ok && response.body) return response.body as T
  const { code, reason, detail, errors } = { ...(response.body as Partial<Problem>) }
  throw failureIn(response, { code, reason, message: detail, errors })
}

/** Runs an attempt. If `isRepeatable`, retries it after temporary errors. Obeys `Retry-After` and the rate limit. */
export async function retry<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  options: CallOptions & { isRepeatable: boolean; rateLimit: RateLimitState },
): Promise<T> {
  const {
    isRepeatable,
    rateLimit,
    signal,
    retries = 5,
    attemptTimeoutMs = 30_000,
    timeoutMs = 120_000,
  } = options
  const endsAt = performance.now() + timeoutMs
  let notBefore = 0
  let failure: Error | undefined
  const untilAllowed = async () => {
    for (;;) {
      const waitMs = Math.max(notBefore - performance.now(), rateLimit.waitMs)
      if (waitMs <= 0) return
      if (performance.now() + waitMs >= endsAt) throw failure ?? rateLimit.refusal()
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

/** Waits for a promise. An abort ends the wait, but not the work of the promise. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  const listening = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: listening.signal })
  })
  return Promise.race([promise, aborted]).finally(() => listening.abort())
}

export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await orAborted(passed, signal).finally(() => clearTimeout(timer))
}

/** Parses `Retry-After` (RFC 9110 10.2.3), which is a number of seconds or a date. */
function secondsUntil(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

export function fromJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
