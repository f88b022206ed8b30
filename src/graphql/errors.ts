import type { FastifyRequest } from 'fastify'
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql'
import { AppError, type ErrorCode, toAppError } from '../errors.ts'
import { logRequestFailure } from '../http/outages.ts'
import { limits } from './limits/limits.ts'

/** The values of `extensions.code`. They are part of the API: docs/errors.md lists them. */
export type GraphQLErrorCode =
  | Uppercase<ErrorCode>
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'NOT_ACCEPTABLE'

const tooDeep = 'The request is nested too deeply.'

export class InvalidDocument extends Error {
  override readonly name = 'InvalidDocument'
  readonly errors: readonly unknown[]

  constructor(errors: readonly unknown[]) {
    super('The document is not valid')
    this.errors = errors
  }
}

type ErrorLocation = Pick<GraphQLFormattedError, 'locations' | 'path'>

export function renderError(
  request: FastifyRequest,
  code: GraphQLErrorCode,
  message: string,
  { locations, path }: ErrorLocation = {},
): GraphQLFormattedError {
  return { message, locations, path, extensions: { code, requestID: request.id } }
}

export function renderFailure(
  request: FastifyRequest,
  failure: AppError,
  location?: ErrorLocation,
): GraphQLFormattedError {
  const code = failure.code.toUpperCase() as Uppercase<ErrorCode>
  const rendered = renderError(request, code, failure.message, location)
  const { errors, limit, reason, scope, retryAfterSeconds } = failure
  const extensions = {
    ...rendered.extensions,
    ...(reason && { reason: reason.toUpperCase() }),
    ...scope,
    ...(errors.length > 0 && { errors }),
    ...(limit && { limit }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
  return { ...rendered, extensions }
}

/** Returns the errors if our limits, the parser or the validation rejected the document before it ran. */
export function renderRefusal(request: FastifyRequest, error: unknown): GraphQLFormattedError[] | undefined {
  if (isStackOverflow(error)) return [renderDocumentError(request, error)]
  if (error instanceof AppError && error.code === 'limit_exceeded') return [renderFailure(request, error)]
  if (!(error instanceof InvalidDocument) && codeOf(error) !== 'MER_ERR_GQL_VALIDATION') return undefined
  const { errors } = error as { errors: unknown[] }
  return errors.map((each) => renderDocumentError(request, each))
}

function renderDocumentError(request: FastifyRequest, error: unknown): GraphQLFormattedError {
  if (isStackOverflow(error)) return renderError(request, 'GRAPHQL_PARSE_FAILED', tooDeep)
  if (!isGraphQLError(error)) throw error
  const limited = libraryLimits.get(error.message)
  if (limited) return renderFailure(request, limited, error)
  const isSyntaxError = error.message.startsWith('Syntax Error: ')
  const code = isSyntaxError ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED'
  return renderError(request, code, error.message, error)
}

/** The errors of graphql-js for exceeded limits. Only their messages distinguish them from other errors. */
const libraryLimits = new Map([
  [
    `Syntax Error: Document contains more that ${limits.tokens} tokens. Parsing aborted.`,
    new AppError(
      'limit_exceeded',
      `The document has more than ${limits.tokens} tokens, which is the limit. Send values as variables.`,
      { limit: { name: 'tokens', max: limits.tokens } },
    ),
  ],
  [
    'Validation aborted.',
    new AppError(
      'limit_exceeded',
      `The document selects the same names so often that validation needs more than ${limits.comparisons} ` +
        'comparisons, which is the limit. Select each name once.',
      { limit: { name: 'comparisons', max: limits.comparisons } },
    ),
  ],
])

/** Masks errors that are neither the caller's fault nor an AppError, and logs each once. */
export function renderExecutionErrors(
  request: FastifyRequest,
  errors: readonly GraphQLError[],
): GraphQLFormattedError[] {
  const toLog = new Set<unknown>()
  const rendered = errors.map((error) => {
    // An overflow in a resolver is wrapped in an error with a path. An unwrapped overflow comes from the variables.
    if (isStackOverflow(error)) return renderError(request, 'INVALID_INPUT', tooDeep)
    if (isCallersFault(error)) return renderError(request, 'INVALID_INPUT', error.message, error)
    const failure = toAppError(error.originalError ?? error)
    if (failure.status >= 500) toLog.add(failure.cause ?? failure)
    return renderFailure(request, failure, error)
  })
  for (const error of toLog) logRequestFailure(request, error, 'a resolver failed')
  return rendered
}

/** Returns the failure if the whole operation failed because something is unavailable. */
export function outageOf({ data, errors = [] }: ExecutionResult): AppError | undefined {
  if (Object.values(data ?? {}).some((value) => value !== null)) return undefined
  const failures = errors.map((error) => toAppError(error.originalError ?? error))
  return failures.every(isOutage) ? failures[0] : undefined
}

/** Returns the failure if a part of the operation failed because something is unavailable. */
export function partialOutageOf({ errors = [] }: ExecutionResult): AppError | undefined {
  return errors.map((error) => toAppError(error.originalError ?? error)).find(isOutage)
}

function isOutage({ code }: AppError): boolean {
  return code === 'unavailable'
}

/** An error in the variables or the operation has no path. A variable can also make an argument invalid. */
function isCallersFault(error: GraphQLError): boolean {
  if (!isGraphQLError(error)) return false
  if (error.path === undefined) return true
  const isFromGraphQL = error.originalError === undefined || isGraphQLError(error.originalError)
  return isFromGraphQL && error.message.startsWith('Argument "')
}

export function renderThrown(request: FastifyRequest, error: unknown): GraphQLFormattedError[] {
  return renderRefusal(request, error) ?? [renderFailure(request, toHTTPFailure(request, error))]
}

export function toHTTPFailure(request: FastifyRequest, error: unknown): AppError {
  const failure = toAppError(error, request)
  if (failure.status >= 500) logRequestFailure(request, failure.cause ?? failure)
  return failure
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack')
}

/** Compares the name, because a bundler or a test runner can load a second graphql-js for Mercurius. */
function isGraphQLError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
