/** What is wrong with one field of the input. `field` is a dotted path, as the caller wrote it. */
export type FieldError = { field: string; message: string }

type Details = {
  status?: number
  reason?: string
  errors?: FieldError[]
  requestID?: string
  retryAfterSeconds?: number
  /** Whether the request can never succeed as it is. */
  isFinal?: boolean
}

const temporaryCodes = new Set(['NO_ANSWER', 'UNAVAILABLE', 'RATE_LIMITED'])
const temporaryStatuses = new Set([408, 429, 502, 503, 504])

/** Why a call failed. Nothing in it is a secret: no URL, no token, nothing of what was sent. */
export class SkeinError extends Error {
  override readonly name = 'SkeinError'
  /** One of docs/api.md, in capitals; or NO_ANSWER, UNEXPECTED_ANSWER. */
  readonly code: string
  /** The HTTP status of the answer, if there was one. */
  readonly status: number | undefined
  /** The state that refuses the request, if it is one: one of docs/api.md, in capitals. */
  readonly reason: string | undefined
  /** All fields of the input that are wrong. */
  readonly errors: readonly FieldError[]
  /** What the service's log has the request under. */
  readonly requestID: string | undefined
  /** How long the service asks to be left alone. */
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

  /** Whether the same request may succeed in a while. Whether it may be repeated is another question. */
  get isTemporary(): boolean {
    if (this.code === 'CONFLICT') return this.reason === 'CONCURRENT_CHANGE'
    return !this.#isFinal && (temporaryCodes.has(this.code) || temporaryStatuses.has(this.status ?? 0))
  }
}

/** Hosts that have answered. One that never has is taken for a wrong address, so that a call fails at once. */
const reachedHosts = new Set<string>()

/** What Node.js calls a connection that was never made. */
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|bad port)$|CERT|TLS/

/** What may be shown of a cause: messages may hold a URL, codes do not. */
const isCode = /^([A-Z][A-Z0-9_]+|bad port)$/

/** Remembers that a host has answered. */
export function noteAnswer(url: string): void {
  reachedHosts.add(new URL(url).host)
}

/**
 * The error for an answer that did not come, or not all of it; or for a body that was not as long as it was said to be.
 * It names the host and the code of the cause, such as ECONNREFUSED, and not the URL, which is the secret of a webhook.
 */
export function noAnswer(cause: unknown, url: string): SkeinError {
  const { name, code, cause: inner } = Object(cause) as Cause
  const known = [inner?.code, code, inner?.message].map(String).find((each) => isCode.test(each))
  // Undici's. To send it again would fail again.
  if (known === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    const [field, message] = ['size', 'is not the number of bytes that were read']
    return new SkeinError('INVALID_INPUT', `${field}: ${message}`, { errors: [{ field, message }] })
  }
  const { host, origin } = new URL(url)
  if (name === 'TimeoutError') return noAnswerFrom(host, 'none came in time')
  const isFinal = !reachedHosts.has(host) && (known === undefined || unreachable.test(known))
  return noAnswerFrom(host, known ?? reasonWithoutCode(origin, isFinal), isFinal)
}

function noAnswerFrom(host: string, reason: string, isFinal = false): SkeinError {
  return new SkeinError('NO_ANSWER', `There was no answer from ${host}: ${reason}.`, { isFinal })
}

/** A browser hides from a page why a request failed. */
function reasonWithoutCode(origin: string, isUnreached: boolean): string {
  const page = (globalThis as { location?: { origin: string } }).location?.origin
  if (!isUnreached || page === undefined || page === origin) return 'the connection failed'
  return `the connection failed, or the service does not allow the origin ${page} (CORS_ORIGINS)`
}

type Cause = { name?: string; code?: string; cause?: { code?: string; message?: string } }
