/** A problem with one field of the input. `field` is a dotted path, such as `message.text`. */
export type FieldError = { field: string; message: string }

type Details = {
  status?: number
  reason?: string
  errors?: FieldError[]
  requestID?: string
  retryAfterSeconds?: number
  /** Whether the same request can never succeed. */
  isFinal?: boolean
}

const temporaryCodes = new Set(['NO_ANSWER', 'UNAVAILABLE', 'TIMEOUT', 'RATE_LIMITED'])
const temporaryStatuses = new Set([408, 429, 502, 503, 504])

/** The error of a failed call. It contains no URL, no secret and no token. */
export class SkeinError extends Error {
  override readonly name = 'SkeinError'
  /** An error code of docs/errors.md or docs/tokens.md, in upper case, or NO_ANSWER or UNEXPECTED_ANSWER. */
  readonly code: string
  /** The HTTP status of the response, if there was a response. */
  readonly status: number | undefined
  /** The reason of docs/errors.md, in upper case, if the current state does not allow the request. */
  readonly reason: string | undefined
  /** All invalid fields of the input. */
  readonly errors: readonly FieldError[]
  /** The ID of the request in the log of the service. */
  readonly requestID: string | undefined
  /** The number of seconds to wait before the next request, if the service specifies it. */
  readonly retryAfterSeconds: number | undefined
  readonly #isFinal: boolean

  constructor(code: string, message: string, details: Details = {}) {
    super(message)
    this.code = code.toUpperCase()
    this.status = details.status
    this.reason = details.reason?.toUpperCase()
    this.errors = details.errors ?? []
    this.requestID = details.requestID
    this.retryAfterSeconds = details.retryAfterSeconds
    this.#isFinal = details.isFinal ?? false
  }

  /** Whether the same request can succeed later. This does not mean that the request is safe to repeat. */
  get isTemporary(): boolean {
    if (this.code === 'CONFLICT') return this.reason === 'CONCURRENT_CHANGE'
    return !this.#isFinal && (temporaryCodes.has(this.code) || temporaryStatuses.has(this.status ?? 0))
  }
}

/**
 * Hosts that have responded. If any other host cannot be reached, its address is probably wrong, and the request is not
 * retried.
 */
const reachedHosts = new Set<string>()

/** Matches the codes of Node.js for a connection that was never established. */
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|bad port)$|CERT|TLS/

/** Matches the codes in a cause, which are safe to show. A message can contain a URL, but a code cannot. */
const isCode = /^([A-Z][A-Z0-9_]+|bad port)$/

export function recordResponse(url: string): void {
  reachedHosts.add(new URL(url).host)
}

/** Returns the error for a failed request. It names the host, but not the URL, which is the secret of a webhook. */
export function noAnswer(cause: unknown, url: string): SkeinError {
  const { name, code, cause: inner } = Object(cause) as Cause
  const known = [inner?.code, code, inner?.message].map(String).find((each) => isCode.test(each))
  // Undici's code for a body that does not have the declared length. Another attempt would fail again.
  if (known === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    const [field, message] = ['size', 'is not the number of bytes that were read']
    return new SkeinError('INVALID_INPUT', `The ${field} ${message}.`, { errors: [{ field, message }] })
  }
  const { host, origin } = new URL(url)
  if (name === 'TimeoutError') return noAnswerFrom(host, 'the request timed out')
  const isFinal = !reachedHosts.has(host) && (known === undefined || unreachable.test(known))
  return noAnswerFrom(host, known ?? reasonWithoutCode(origin, isFinal), isFinal)
}

function noAnswerFrom(host: string, reason: string, isFinal = false): SkeinError {
  return new SkeinError('NO_ANSWER', `There was no answer from ${host}: ${reason}.`, { isFinal })
}

/** Browsers do not tell a page why a request failed. */
function reasonWithoutCode(origin: string, isUnreached: boolean): string {
  const page = (globalThis as { location?: { origin: string } }).location?.origin
  if (!isUnreached || page === undefined || page === origin) return 'the connection failed'
  return `the connection failed, or the service does not allow the origin ${page} (CORS_ORIGINS)`
}

type Cause = { name?: string; code?: string; cause?: { code?: string; message?: string } }
