import { WaitedTooLong } from '../platform/scheduling/fair-slots.ts'

export type DatabaseFailure = 'duplicate' | 'missing' | 'locked' | 'unavailable' | 'out_of_space'

/** Returns the kind of a database failure. After `unavailable` and `locked`, another attempt can succeed. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  const driver = driverError(error)
  const failure = prismaCodes.get(textOf(error, 'code')) ?? ofState(textOf(driver, 'originalCode'))
  return failure ?? (isUnavailable(error, driver) ? 'unavailable' : undefined)
}

export function violatedConstraint(error: unknown): string | undefined {
  const driver = driverError(error)
  const message = textOf(driver, 'originalMessage')
  return textOf(field(driver, 'constraint'), 'index') ?? /constraint "([^"]+)"/.exec(message ?? '')?.[1]
}

// https://www.prisma.io/docs/orm/reference/error-reference
const prismaCodes = new Map<string | undefined, DatabaseFailure>([
  ['P2002', 'duplicate'],
  ['P2003', 'missing'], // a reference to a row that does not exist
  ['P2025', 'missing'],
  ['P1001', 'unavailable'], // the server cannot be reached
  ['P1008', 'unavailable'], // it did not answer in time
  ['P1017', 'unavailable'], // it closed the connection
  ['P2024', 'unavailable'], // no connection became free in time
  ['P2028', 'unavailable'], // the transaction did not begin or end in time
  ['P2034', 'unavailable'], // a write conflict or a deadlock
  ['P2037', 'unavailable'], // too many connections
])

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const temporaryStates = new Set([
  '25006', // the server has become a read-only standby
  '25P03', // the connection was closed because its transaction was idle for too long
  '28000', // the login is refused
  '28P01', // the password is wrong
  '3D000', // the database does not exist
  '40001', // could not serialize
  '40P01', // deadlock
])

// Classes: connection errors, lack of resources (connections, memory), operator intervention (time-out, shutdown).
const temporaryClasses = ['08', '53', '57']

function ofState(state: string | undefined): DatabaseFailure | undefined {
  if (state === undefined) return undefined
  if (state === '23505') return 'duplicate'
  if (state === '23503') return 'missing'
  if (state === '53100') return 'out_of_space'
  if (state === '55P03') return 'locked'
  return temporaryStates.has(state) || temporaryClasses.includes(state.slice(0, 2))
    ? 'unavailable'
    : undefined
}

const connectionKinds = ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TlsConnectionError']

const socketCodes = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH'],
]

// The messages of errors of pg, its pool and PGlite that have no code.
const unavailableMessages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Cannot use a pool after calling end on the pool',
]

function isUnavailable(error: unknown, driver: unknown): boolean {
  if (error instanceof WaitedTooLong) return true
  if (connectionKinds.includes(textOf(driver, 'kind') ?? '')) return true
  if (!(error instanceof Error)) return false
  const code = textOf(error, 'code')
  if (code === undefined) return unavailableMessages.some((text) => error.message.startsWith(text))
  // An error of Prisma has only the code of the socket error. Any other error must also have the system call, because
  // an interrupted upload has the same code but no system call. ENOENT counts only for connect (a missing Unix socket).
  if (error.name.startsWith('PrismaClient')) return /^E[A-Z_]+$/.test(code)
  const call = textOf(error, 'syscall')
  return call === 'connect' || (call !== undefined && socketCodes.includes(code))
}

/** Returns the error of the driver. Unwraps the errors of Prisma and, for a failed COMMIT, of Prisma's adapter. */
export function driverError(error: unknown): unknown {
  const wrapped = field(field(field(error, 'meta'), 'driverAdapterError'), 'cause')
  if (wrapped !== undefined) return wrapped
  if (textOf(error, 'name') === 'DriverAdapterError') return field(error, 'cause')
  if (textOf(error, 'severity') === undefined) return undefined
  const index = textOf(error, 'constraint')
  return {
    originalCode: textOf(error, 'code'),
    originalMessage: textOf(error, 'message'),
    constraint: { index },
  }
}

function textOf(value: unknown, key: string): string | undefined {
  const text = field(value, key)
  return typeof text === 'string' ? text : undefined
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
