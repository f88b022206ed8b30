import type { LoggerOptions } from 'pino'
import { driverError, violatedConstraint } from '../../database/database-errors.ts'

export type LoggedError = {
  type: string
  message: string
  [detail: string]: unknown
}

// Other properties can contain what the caller sent: `detail`, `where`, `query`, `params`, `meta`.
const loggedDetails = ['code', 'table', 'syscall', 'path', 'address', 'port', 'statusCode']
const maxMessageLength = 1000
const maxDepth = 4

/** The options of every logger. Log an error as `err` with a text. Without a text, pino repeats the error's message. */
export const logOptions: LoggerOptions = {
  base: undefined,
  serializers: { err: (error: unknown) => errorForLog(error) },
}

/** Returns the parts of an error and its causes that contain nothing that was sent to the database. */
export function errorForLog(error: unknown, depth = 0): LoggedError | undefined {
  if (error === undefined || error === null || depth > maxDepth) return undefined
  if (!(error instanceof Error))
    return { type: typeof error, message: 'A value that is not an Error was thrown' }
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

// Prisma puts the arguments of its call before the message. A data exception (class 22) quotes the value.
function messageOf(error: Error, sqlState: string | undefined): string {
  const isPrisma = error.constructor.name.startsWith('PrismaClient')
  const message = isPrisma ? (error.message.split('\n\n').at(-1) ?? '').trim() : error.message
  const withoutValue = sqlState?.startsWith('22') ? message.replace(/: ".*/s, '') : message
  return withoutValue.slice(0, maxMessageLength)
}

function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')
}
