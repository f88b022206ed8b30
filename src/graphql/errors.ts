import type { FastifyRequest } from 'fastify'
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql'
import { AppError, type ErrorCode, toAppError } from '../errors.ts'
import { limits } from './limits.ts'

/** The codes of `extensions.code`. They are contract: docs/api.md lists them. */
export type GraphQLErrorCode =
  | Uppercase<ErrorCode>
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'NOT_ACCEPTABLE'

const tooDeep = 'The request is nested too deeply.'

/** A document that the parser or the validation refused, with what they said. */
export class InvalidDocument extends Error {
  override readonly name = 'InvalidDocument'
  readonly errors: readonly unknown[]

  constructor(errors: readonly unknown[]) {
    super('The document is not valid')
    this.errors = errors
  }
}

type Place = Pick<GraphQLFormattedError, 'locations' | 'path'>

/** One entry of `errors`. Each carries the request ID, under which the log has the rest. */
export function renderError(
  request: FastifyRequest,
  code: GraphQLErrorCode,
  message: string,
  { locations, path }: Place = {},
): GraphQLFormattedError {
  return { message, locations, path, extensions: { code, requestID: request.id } }
}

/** Renders an AppError as an entry of `errors`, with what it holds for programs to read. */
export function renderFailure(
  request: FastifyRequest,
  failure: AppError,
  place?: Place,
): GraphQLFormattedError {
  const code = failure.code.toUpperCase() as Uppercase<ErrorCode>
  const rendered = renderError(request, code, failure.message, place)
  const { errors, limit, reason, scope } = failure
  const extensions = {
    ...rendered.extensions,
    ...(reason && { reason: reason.toUpperCase() }),
    ...scope,
    ...(errors.length > 0 && { errors }),
    ...(limit && { limit }),
  }
  return { ...rendered, extensions }
}

/**
 * Why a document was refused before it ran, or undefined where something else was thrown: by a limit of ours; or by the
 * parser and the validation. A stack overflow may come as it is; the parser's own is among what it refused.
 */
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

/** What the parser and the validation stop at, which they say in words alone. */
const libraryLimits = new Map([
  [
    `Syntax Error: Document contains more that ${limits.tokens} tokens. Parsing aborted.`,
    new AppError(
      'limit_exceeded',
      `The document has more than ${limits.tokens} tokens, which are the limit. Send values as variables.`,
      { limit: { name: 'tokens', max: limits.tokens } },
    ),
  ],
  [
    'Validation aborted.',
    new AppError(
      'limit_exceeded',
      `To validate the document takes more than ${limits.comparisons} comparisons, which are the limit: it selects the ` +
        'same names again and again. Select each once.',
      { limit: { name: 'comparisons', max: limits.comparisons } },
    ),
  ],
])

/** The errors of an execution. What is neither the caller's fault nor an AppError is masked, and logged once. */
export function renderExecutionErrors(
  request: FastifyRequest,
  errors: readonly GraphQLError[],
): GraphQLFormattedError[] {
  const toLog = new Set<unknown>()
  const rendered = errors.map((error) => {
    // A resolver's own overflow comes wrapped, with its path; this one is of the variables.
    if (isStackOverflow(error)) return renderError(request, 'INVALID_INPUT', tooDeep)
    if (isCallersFault(error)) return renderError(request, 'INVALID_INPUT', error.message, error)
    const failure = toAppError(error.originalError ?? error)
    if (failure.status >= 500) toLog.add(failure.cause ?? failure)
    return renderFailure(request, failure, error)
  })
  for (const err of toLog) request.log.error({ err }, 'a resolver failed')
  return rendered
}

/**
 * Why nothing of a request was answered, if all of it failed because something is unavailable. Such a request is answered
 * with a status that says so, and with `Retry-After`.
 */
export function outageOf({ data, errors = [] }: ExecutionResult): AppError | undefined {
  if (Object.values(data ?? {}).some((value) => value !== null)) return undefined
  const failures = errors.map((error) => toAppError(error.originalError ?? error))
  return failures.every(({ code }) => code === 'unavailable') ? failures[0] : undefined
}

/**
 * Whether graphql-js speaks of what the caller sent: an error without a path is about the variables or the operation,
 * and an argument can fail by the value of its variable. Everything else that it says is about what a resolver returned.
 */
function isCallersFault(error: GraphQLError): boolean {
  if (!isGraphQLError(error)) return false
  if (error.path === undefined) return true
  const saysItself = error.originalError === undefined || isGraphQLError(error.originalError)
  return saysItself && error.message.startsWith('Argument "')
}

/** What ended a request outside of GraphQL, such as no token or a bad body. What is our fault is logged. */
export function toHTTPFailure(request: FastifyRequest, error: unknown): AppError {
  const failure = toAppError(error, request)
  if (failure.status >= 500) request.log.error({ err: failure.cause ?? failure }, 'the request failed')
  return failure
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack')
}

/** By name: a bundler or a test runner may load graphql-js twice, once for us and once for mercurius. */
function isGraphQLError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
