/** What is wrong with one field of the input. `field` is a dotted path, as the caller wrote it. */
export type FieldError = { field: string; message: string }

type Details = {
  status?: number
  errors?: FieldError[]
  requestID?: string
  retryAfterSeconds?: number
}

const temporaryCodes = new Set(['NO_ANSWER', 'UNAVAILABLE', 'CONFLICT'])
const temporaryStatuses = new Set([408, 429, 502, 503, 504])

/** Why a call failed. Nothing in it is a secret: no URL, no token, nothing of what was sent. */
export class SkeinError extends Error {
  override readonly name = 'SkeinError'
  /** One of docs/api.md, in capitals; or NO_ANSWER, UNEXPECTED_ANSWER. */
  readonly code: string
  /** The HTTP status of the answer, if there was one. */
  readonly status: number | undefined
  /** All fields of the input that are wrong. */
  readonly errors: readonly FieldError[]
  /** What the service's log has the request under. */
  readonly requestID: string | undefined
  /** How long the service asks to be left alone. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, message: string, details: Details = {}) {
    super(message)
    this.code = code.toUpperCase()
    this.status = details.status
    this.errors = details.errors ?? []
    this.requestID = details.requestID
    this.retryAfterSeconds = details.retryAfterSeconds
  }

  /** Whether the same request may succeed in a while. Whether it may be repeated is another question. */
  get isTemporary(): boolean {
    return temporaryCodes.has(this.code) || temporaryStatuses.has(this.status ?? 0)
  }
}

/**
 * There was no answer, or not all of one; or the body was not as long as it was said to be. Of the cause the code alone
 * is kept, such as ECONNREFUSED: its words may hold the URL, which of a webhook is a secret.
 */
export function noAnswer(cause: unknown): SkeinError {
  const { name, code, cause: inner } = Object(cause) as Cause
  const known = [inner?.code, code].find((each) => typeof each === 'string')
  // Undici's. To send them again would be in vain.
  if (known === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    const [field, message] = ['size', 'is not the number of bytes that were read']
    return new SkeinError('INVALID_INPUT', `${field}: ${message}`, { errors: [{ field, message }] })
  }
  const reason = name === 'TimeoutError' ? 'none came in time' : (known ?? 'the connection failed')
  return new SkeinError('NO_ANSWER', `There was no answer: ${reason}.`)
}

type Cause = { name?: string; code?: unknown; cause?: { code?: unknown } }
