import { databaseFailure, violatedConstraint } from './database/database-errors.ts'
import { PageError } from './platform/cursors.ts'
import { digestThreadEnded } from './storage/digests.ts'
import { BytesMissing, StorageUnavailable } from './storage/storage.ts'

/** Every error code with its HTTP status and its title. The codes are part of the API: see docs/errors.md. */
export const codes = {
  invalid_input: { status: 400, title: 'The input is not valid' },
  limit_exceeded: { status: 400, title: 'The request exceeds a limit' },
  invalid_digest: { status: 400, title: 'The digest is not valid' },
  bad_digest: { status: 400, title: 'The digest does not match the bytes' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'The request is not allowed' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'The request conflicts with the current state' },
  cursor_expired: { status: 410, title: 'The cursor has expired' },
  bytes_missing: { status: 410, title: 'The bytes of the file are missing' },
  length_required: { status: 411, title: 'Content-Length is required' },
  too_large: { status: 413, title: 'The body is too large' },
  quota_exceeded: { status: 413, title: 'The storage quota is exceeded' },
  unsupported_media_type: { status: 415, title: 'The media type of the body is not supported' },
  range_not_satisfiable: { status: 416, title: 'The range is not satisfiable' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  timeout: { status: 503, title: 'The request took too long' },
  out_of_space: { status: 507, title: 'No storage space is left' },
} as const

export type ErrorCode = keyof typeof codes

/** `field` is a dotted path, as the caller wrote it. The message completes the sentence "<field> <message>". */
export type FieldError = { field: string; message: string }

export type Limit = { name: string; max: number; actual?: number }

export type ScopeError = { requiredScope: string; grantedScopes: readonly string[] }

/**
 * Codes for why the current state does not allow a request (docs/errors.md). Every `conflict` has a reason. A
 * `forbidden` has a reason if the state of the thread allows the request only to certain users.
 */
export const reasons = [
  'already_joined',
  'already_pressed',
  'body_not_stored',
  'button_gone',
  'concurrent_change',
  'custom_apps_disabled',
  'deactivated',
  'email_taken',
  'encryption_key_missing',
  'endpoint_limit',
  'general_group',
  'last_recipient',
  'mail_server_missing',
  'message_deleted',
  'name_taken',
  'not_a_member',
  'only_admin',
  'persistent_chat',
  'pin_limit',
  'recipients_locked',
  'replies_off',
  'sign_in_method_off',
  'sign_in_too_old',
  'starter_exists',
  'starter_in_use',
  'system_message',
  'ticket_not_filled',
  'ticket_used',
  'token_limit',
  'user_kind',
  'webhook_inactive',
] as const
export type Reason = (typeof reasons)[number]

export type ErrorDetails = {
  errors?: FieldError[]
  limit?: Limit | undefined
  reason?: Reason | undefined
  scope?: ScopeError | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/** A failure that the caller sees. The message says what is wrong or what to do, and never contains a secret. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly errors: FieldError[]
  readonly limit: Limit | undefined
  readonly reason: Reason | undefined
  readonly scope: ScopeError | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.errors = details.errors ?? []
    this.limit = details.limit
    this.reason = details.reason
    this.scope = details.scope
    this.retryAfterSeconds = details.retryAfterSeconds
  }

  get status(): number {
    return codes[this.code].status
  }

  get title(): string {
    return codes[this.code].title
  }

  withErrors(errors: FieldError[]): AppError {
    return new AppError(this.code, this.message, { ...this, errors })
  }
}

export function invalidInput(errors: FieldError[]): AppError {
  const summary = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new AppError('invalid_input', `The input is not valid: ${summary}.`, { errors })
}

export function invalidField(field: string, message: string): AppError {
  return invalidInput([{ field, message }])
}

export function conflict(reason: Reason, message: string, errors: FieldError[] = []): AppError {
  return new AppError('conflict', message, { reason, errors })
}

export function conflictAt(reason: Reason, field: string, message: string): AppError {
  return conflict(reason, `The request conflicts with the current state: ${field} ${message}.`, [
    { field, message },
  ])
}

export function insufficientScope(requiredScope: string, grantedScopes: readonly string[]): AppError {
  return new AppError('insufficient_scope', `The token does not have the required scope ${requiredScope}.`, {
    scope: { requiredScope, grantedScopes },
  })
}

/** Returns the same error for an object that does not exist and for an object that the caller cannot see. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `The ${what} does not exist, or you cannot see it.`)
}

export function bodyTooLarge(max: number, cause?: unknown): AppError {
  const limit = { name: 'bytes', max }
  return new AppError('too_large', `The body must not exceed ${max} bytes.`, { cause, limit })
}

/** Returns the AppError that describes a failure to the caller. An unknown failure is masked and becomes the cause. */
export function toAppError(error: unknown, request?: { routeOptions: { bodyLimit?: number } }): AppError {
  if (error instanceof AppError) return error
  if (error instanceof PageError) return invalidField(error.field, error.message)
  return (
    fromStorage(error) ??
    fromDatabase(error) ??
    fromDisk(error) ??
    fromFastify(error, request?.routeOptions.bodyLimit) ??
    masked(error)
  )
}

function fromStorage(cause: unknown): AppError | undefined {
  if (cause instanceof BytesMissing)
    return new AppError('bytes_missing', 'The service has lost the bytes of this file.', { cause })
  return cause instanceof StorageUnavailable ? unavailable('File storage is unavailable.', cause) : undefined
}

function fromDatabase(cause: unknown): AppError | undefined {
  switch (databaseFailure(cause)) {
    case 'duplicate':
      return (
        takenValue(cause) ??
        new AppError('conflict', 'Another request created the same object concurrently. Try again.', {
          cause,
          reason: 'concurrent_change',
        })
      )
    case 'missing':
      return new AppError('not_found', 'An object that the input refers to does not exist.', { cause })
    case 'unavailable':
      return unavailable('The database is unavailable.', cause)
    case 'locked':
      return unavailable('The rows that this request changes are locked by other requests.', cause)
    case 'out_of_space':
      return outOfSpace(cause)
  }
}

/** The unique indexes that depend on a value of the caller. */
const uniqueValues: Record<string, { reason: Reason; field: string; message: string }> = {
  one_public_group_per_name: {
    reason: 'name_taken',
    field: 'name',
    message: 'is already the name of a public group',
  },
  one_webhook_per_name: { reason: 'name_taken', field: 'name', message: 'is already the name of a webhook' },
  one_person_per_email: {
    reason: 'email_taken',
    field: 'email',
    message: 'is already the email address of a person in the workspace',
  },
}

function takenValue(cause: unknown): AppError | undefined {
  const taken = uniqueValues[violatedConstraint(cause) ?? '']
  return taken && conflictAt(taken.reason, taken.field, taken.message)
}

function fromDisk(cause: unknown): AppError | undefined {
  const code = String(codeOf(cause))
  if (['ENOSPC', 'EDQUOT'].includes(code)) return outOfSpace(cause)
  if (['EMFILE', 'ENFILE'].includes(code)) return unavailable('The service has too many open files.', cause)
  if (['EACCES', 'EPERM', 'EROFS', 'EIO'].includes(code)) {
    return unavailable('The service cannot read or write its files.', cause)
  }
  if (code === digestThreadEnded) return unavailable('The service cannot check the bytes of files.', cause)
  return undefined
}

function unavailable(what: string, cause: unknown): AppError {
  return new AppError('unavailable', `${what} Try again later.`, { cause, retryAfterSeconds: 5 })
}

function outOfSpace(cause: unknown): AppError {
  return new AppError('out_of_space', 'No storage space is left. Nothing was stored.', { cause })
}

function fromFastify(cause: unknown, bodyLimit: number | undefined): AppError | undefined {
  if (['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(codeOf(cause)))) {
    return new AppError('invalid_input', 'The connection was closed before the whole request arrived.', {
      cause,
    })
  }
  const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : 0
  if (status === 413) {
    if (bodyLimit === undefined) return new AppError('too_large', 'The body is too large.', { cause })
    return bodyTooLarge(bodyLimit, cause)
  }
  if (status === 415) {
    return new AppError('unsupported_media_type', 'This URL does not accept a body of this media type.', {
      cause,
    })
  }
  if (status < 400 || status >= 500) return undefined
  return new AppError('invalid_input', 'The request is malformed.', { cause })
}

function masked(cause: unknown): AppError {
  const message = 'An internal error occurred. The service logged the details under the request ID.'
  return new AppError('internal', message, { cause })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
