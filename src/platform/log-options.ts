import type { LoggerOptions } from 'pino'
import { driverError, violatedConstraint } from './database-errors.ts'

/** What a line of the log says of an error. */
export type LoggedError = {
  type: string
  message: string
  [detail: string]: unknown
}

// Of an error's other properties, some hold what the caller sent: `detail`, `where`, `query`, `params`, `meta`.
const loggedDetails = ['code', 'table', 'syscall', 'path', 'address', 'port', 'statusCode']
const maxMessageLength = 1000
const maxDepth = 4

/** The options of every logger. Errors are logged as `err`, with a text of their own: pino would repeat the message. */
export const logOptions: LoggerOptions = {
  base: undefined,
  serializers: { err: (error: unknown) => errorForLog(error) },
}

/** What may be logged of an error and its causes. It holds nothing that was sent to the database. */
export function errorForLog(error: unknown, depth = 0): LoggedError | undefined {
  if (error === undefined || error === null || depth > maxDepth) return undefined
  if (!(error instanceof Error))
    return { type: typeof error, message: 'Something that is not an error was thrown' }
  const sqlState = sqlStateOf(error)
  return {
    type: error.constructor.name,
    message: messageOf(error, sqlState),
    ...Object.fromEntries(loggedDetails.map((name) => [name, Reflect.get(error, name)])),
    sqlState,
    constraint: violatedConstraint(error),
    stack: framesOf(error),
    cause: errorForLog(error.cause, depth + 1),
    errors:
      error instanceof AggregateError ? error.errors.map((each) => errorForLog(each, depth + 1)) : undefined,
  }
}

function sqlStateOf(error: Error): string | undefined {
  const state: unknown = Reflect.get(Object(driverError(error)), 'originalCode')
  return typeof state === 'string' ? state : undefined
}

/** Prisma shows the arguments of its call before it says what is wrong; a data exception (class 22) quotes the value. */
function messageOf(error: Error, sqlState: string | undefined): string {
  const isPrisma = error.constructor.name.startsWith('PrismaClient')
  const message = isPrisma ? (error.message.split('\n\n').at(-1) ?? '').trim() : error.message
  const withoutValue = sqlState?.startsWith('22') ? message.replace(/: ".*/s, '') : message
  return withoutValue.slice(0, maxMessageLength)
}

/** The stack without the message, which is its beginning. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')
}
