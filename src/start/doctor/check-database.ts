import type pg from 'pg'
import type { Settings } from '../../config.ts'
import { connectionOptions } from '../../database/database.ts'
import { HostClient } from '../../database/driver/host-client.ts'
import { type Finding, failure, ok, reasonOf, warning } from './check.ts'

const timeoutMs = 5000
const commitTimeoutMs = 3000
const toleratedSeconds = 5

type Facts = { version: string; isReadOnly: boolean; free: number; seconds: number }

/** Connects to the server. The embedded database belongs to the process that runs, which says whether it is ready. */
export async function checkDatabase({ databaseURL, databasePoolSize, localURL }: Settings): Promise<Finding> {
  if (databaseURL === undefined) return checkReady(localURL)
  try {
    const { version, isReadOnly, free } = await factsOf(databaseURL)
    if (Number.parseInt(version, 10) < 15)
      return failure(`The server has PostgreSQL ${version}.`, 'Use version 15 or later.')
    if (isReadOnly)
      return failure('The server is a read-only standby.', 'Let DATABASE_URL lead to the primary server.')
    const stalled = await failureOfCommits(databaseURL)
    if (stalled) return stalled
    const needed = databasePoolSize + 4
    if (free < needed)
      return warning(
        `The server has ${free} free connections, and a process needs up to ${needed}.`,
        'Raise max_connections of the server, or lower DATABASE_POOL_SIZE.',
      )
    return ok(`PostgreSQL ${version} accepts writes, and has ${free} free connections.`)
  } catch (error) {
    return failure(
      `The database does not answer: ${reasonOf(error)}.`,
      'Check DATABASE_URL, and that the server runs.',
    )
  }
}

const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** Commits a few bytes, as CommitProbe does. No time limit of PostgreSQL ends the wait for a standby. */
async function failureOfCommits(databaseURL: string): Promise<Finding | undefined> {
  try {
    await queryOn(databaseURL, `SELECT pg_logical_emit_message(true, 'skein', '')`, commitTimeoutMs)
  } catch (error) {
    // Other errors, such as too many clients, say themselves what is wrong.
    if (!isTimeout(error)) throw error
    return failure(
      'The database answers reads, but completes no writes.',
      'If synchronous_standby_names is set on the server, check that the standby runs. Check the disk of the server.',
    )
  }
}

async function checkReady(localURL: string): Promise<Finding> {
  const advice = 'Start the service, and read its log.'
  try {
    const answer = await fetch(`${localURL}/health/ready`, { signal: AbortSignal.timeout(timeoutMs) })
    if (answer.ok) return ok('The embedded database accepts writes.')
    const { detail } = (await answer.json()) as { detail?: string }
    return failure(detail ?? `The service is not ready (status ${answer.status}).`, advice)
  } catch (error) {
    return failure(`The service does not answer at ${localURL}: ${reasonOf(error)}.`, advice)
  }
}

/** Compares the clock of this machine with that of the database server. */
export async function checkClock({ databaseURL }: Settings): Promise<Finding> {
  if (databaseURL === undefined) return ok('The embedded database has the clock of this machine.')
  try {
    const { seconds } = await factsOf(databaseURL)
    const difference = Math.round(Math.abs(Date.now() / 1000 - seconds))
    if (difference <= toleratedSeconds)
      return ok('The clocks of this machine and of the database server agree.')
    return warning(
      `The clocks of this machine and of the database server differ by ${difference} s.`,
      'Let both follow a time server (NTP). ID tokens of an identity provider are refused from 30 s on.',
    )
  } catch {
    return warning('The clocks cannot be compared, because the database does not answer.', 'See database.')
  }
}

async function factsOf(databaseURL: string): Promise<Facts> {
  const [facts] = await queryOn<Facts>(
    databaseURL,
    `SELECT current_setting('server_version') AS version,
       current_setting('transaction_read_only')::boolean AS "isReadOnly",
       current_setting('max_connections')::integer - (SELECT count(*) FROM pg_stat_activity)::integer AS free,
       extract(epoch FROM clock_timestamp())::float8 AS seconds`,
  )
  if (!facts) throw new Error('it returned no row')
  return facts
}

async function queryOn<Row extends pg.QueryResultRow>(
  databaseURL: string,
  sql: string,
  query_timeout = timeoutMs,
): Promise<Row[]> {
  const limits = { connectionTimeoutMillis: timeoutMs, query_timeout }
  const client = new HostClient({ ...connectionOptions(databaseURL), ...limits })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
