import { Socket } from 'node:net'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { beforeResponse, gauge } from '../platform/metrics.ts'
import { bindingOf, databaseForRequest } from '../platform/request-database.ts'
import { ConnectionShares } from './connection-shares.ts'
import { CheckedClient, cancelStatement } from './driver/checked-client.ts'
import { CommitsStalled } from './driver/commit-probe.ts'
import { type Driver, poolDriver, sharesOf, useDriver } from './driver/drivers.ts'
import { Heartbeat, ServerSilent } from './driver/heartbeat.ts'
import { HostClient, type Hosts, hostsOf } from './driver/host-client.ts'
import { requireSessions } from './driver/require-sessions.ts'
import { type EmbeddedDatabase, openEmbedded } from './embedded/embedded-database.ts'
import { type OnlineBackup, onlineBackup } from './embedded/online-backup.ts'
import { startMaintenance } from './maintenance.ts'
import { applyMigrations } from './migrate.ts'

// Also limits the wait for a free connection. Under high load, waiting is better than refusing.
const connectTimeoutMs = 15_000
const statementTimeoutMs = 30_000
// Skein holds locks only for a short time. A longer wait means that another program has the lock.
const lockTimeoutMs = 5000
const silenceTimeoutMs = 35_000
const idleTransactionTimeoutMs = 60_000
const keepAliveAfterMs = 10_000
// Connections are replaced, because they keep query plans that were created for smaller tables, and because the server
// process of a connection maps more and more memory.
const maxLifetimeSeconds = 1800
const oldestVersion = 15
// Planning costs as much as running. Therefore plans are generic. They use indexes, because tables grow, and are not
// parallel, because a generic plan expects too many rows.
const planning = `SET plan_cache_mode TO force_generic_plan; SET enable_seqscan TO off; SET random_page_cost TO 1.1;
  SET jit TO off; SET max_parallel_workers_per_gather TO 0`

// Connection poolers such as pgbouncer refuse these settings as startup parameters. Therefore statements set them.
const timeLimits = `SET statement_timeout TO ${statementTimeoutMs}; SET lock_timeout TO ${lockTimeoutMs};
  SET idle_in_transaction_session_timeout TO ${idleTransactionTimeoutMs}`

const connections = gauge(
  'skein_db_connections',
  'The connections for requests; `waiting` is what waits for one.',
  ['state'],
)

export type Database = PrismaClient | Prisma.TransactionClient

/** `backup` is missing if the database is on a server. */
export type OpenedDatabase = {
  db: PrismaClient
  embedded: boolean
  about: AboutDatabase
  backup?: OnlineBackup
  close(): Promise<void>
}

/** What the log says about a database. `migrations` are those that this start has applied. */
type AboutDatabase = { database: string; isReadOnly: boolean; migrations: string[] }

type OpenOptions = {
  databaseURL?: string | undefined
  dataDir: string
  poolSize: number
  /** Receives errors for which no caller waits, such as the end of an idle connection. */
  onError?: (error: Error) => void
  onRecovery?: () => void
  onMigration?: (text: string) => void
  /** Opens an embedded database that may be a copy. */
  acceptCopy?: boolean
  /** Is called before an embedded database that has data is migrated. */
  beforeMigration?: (backup: OnlineBackup) => Promise<void>
}

/** Opens and migrates the database at the URL, or the embedded database. No error contains the password. */
export async function openDatabase(options: OpenOptions): Promise<OpenedDatabase> {
  const { databaseURL, poolSize, onError = () => undefined, onRecovery = () => undefined } = options
  if (databaseURL === undefined) return openWithMaintenance({ ...options, onError })
  const about = await checkAndMigrate(databaseURL, options.onMigration)
  const { pool, backgroundPool, heartbeat } = serverPools(databaseURL, { poolSize, onError, onRecovery })
  const driver = poolDriver(pool, { cancel: cancelStatement, backgroundPool })
  const db = prismaClient(pool, driver, onError, heartbeat)
  const close = async () => {
    await closeClient(db, pool)
    await backgroundPool.end()
  }
  return { db, embedded: false, about, close: () => close().finally(() => heartbeat.stop()) }
}

export async function openEmbeddedClient(
  { connection, close }: EmbeddedDatabase,
  onError: (error: Error) => void = () => undefined,
  options: Pick<MigrateOptions, 'onMigration' | 'before' | 'isNew'> = {},
): Promise<OpenedDatabase & { driver: Driver }> {
  let about: AboutDatabase
  try {
    about = await migrate(new pg.Client(connection), options)
  } catch (error) {
    await close()
    throw error
  }
  const pool = new pg.Pool({ ...connection, ...poolOptions, max: 1, idleTimeoutMillis: 0 })
  const driver = poolDriver(pool)
  const db = prismaClient(pool, driver, onError)
  const closeAll = async () => {
    await closeClient(db, pool)
    await close()
  }
  return { db, driver, embedded: true, about, close: closeAll }
}

type EmbeddedOptions = Pick<OpenOptions, 'dataDir' | 'onMigration' | 'acceptCopy' | 'beforeMigration'>

async function openWithMaintenance({
  dataDir,
  onError,
  onMigration,
  acceptCopy,
  beforeMigration,
}: EmbeddedOptions & { onError: (error: Error) => void }): Promise<OpenedDatabase> {
  const { directory, isNew, ...embedded } = await openEmbedded(dataDir, { acceptCopy })
  const before = async (client: pg.Client) =>
    beforeMigration?.(onlineBackup(directory, async (sql) => (await client.query(sql)).rows))
  const { driver, ...opened } = await openEmbeddedClient(embedded, onError, { onMigration, before, isNew })
  const maintenance = startMaintenance(driver, onError)
  const query = async <Row>(sql: string) => (await driver(sql, [], {})).rows as Row[]
  const backup = onlineBackup(directory, query, maintenance.pauseCheckpoints)
  return { ...opened, backup, close: () => maintenance.stop().then(opened.close) }
}

/**
 * Runs `run` in a transaction. Use only `tx` in `run`, because the embedded database has one connection, and other
 * statements would wait forever. Do not catch database errors, because the first error rolls the transaction back.
 */
export function inTransaction<T>(
  db: Database,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  const isInTransaction = !('$connect' in db)
  if (isInTransaction) return run(db)
  const { shared, signal, caller } = bindingOf(db)
  return sharesOf(shared).run({ caller, signal, use: 'transaction' }, () =>
    db.$transaction((tx) => run(signal ? databaseForRequest(tx, signal) : tx)),
  )
}

function prismaClient(
  pool: pg.Pool,
  driver: Driver,
  onError: (error: Error) => void,
  heartbeat?: Heartbeat,
): PrismaClient {
  reportErrors(pool, onError)
  const db = new PrismaClient({
    adapter: new PrismaPg(pool),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: connectTimeoutMs, timeout: 15_000 },
  })
  const shares = new ConnectionShares(pool.options.max, connectTimeoutMs)
  useDriver(db, driver, { shares, heartbeat })
  const stopReading = beforeResponse(() => {
    if (pool.ended) return stopReading()
    connections.set({ state: 'idle' }, pool.idleCount)
    connections.set({ state: 'used' }, pool.totalCount - pool.idleCount)
    connections.set({ state: 'waiting' }, shares.waiting + pool.waitingCount)
  })
  return db
}

// Without a listener, the end of an idle connection ends the process. Prisma adds a listener only at its first use.
function reportErrors(pool: pg.Pool, onError: (error: Error) => void): void {
  pool.on('error', (error) => {
    // pg-pool adds the whole client to the error, but the client must not be logged.
    Reflect.deleteProperty(error, 'client')
    // The heartbeat reports these itself, once.
    if (!(error instanceof ServerSilent || error instanceof CommitsStalled)) onError(error)
  })
}

// Prisma does not end a pool that it has not used yet.
async function closeClient(db: PrismaClient, pool: pg.Pool): Promise<void> {
  await db.$disconnect()
  await pool.end()
}

async function checkAndMigrate(url: string, onMigration?: (text: string) => void): Promise<AboutDatabase> {
  await findHost(url)
  const client = clientOf(url)
  const other = new HostClient({ ...connectionOptions(url), query_timeout: connectTimeoutMs })
  try {
    const about = await migrate(client, { check: () => requireSessions(client, other), onMigration })
    return { ...about, database: `${about.database} at ${client.host}:${client.port}/${client.database}` }
  } catch (error) {
    const place = `${client.host}:${client.port}/${client.database}`
    throw new Error(`The database ${place} cannot be used: ${reasonOf(error)}`)
  }
}

// Each client that fails makes the next one try the next host.
async function findHost(url: string): Promise<void> {
  for (let left = (hostsOf(url)?.count ?? 1) - 1; left > 0; left -= 1) {
    const client = clientOf(url)
    client.on('error', () => undefined)
    const isFound = await client.connect().then(
      () => true,
      () => false,
    )
    if (isFound) return client.end()
  }
}

type MigrateOptions = {
  check?: () => Promise<void>
  onMigration?: ((text: string) => void) | undefined
  before?: (client: pg.Client) => Promise<void>
  isNew?: boolean
}

async function migrate(
  client: pg.Client,
  { check, onMigration, before, isNew }: MigrateOptions,
): Promise<AboutDatabase> {
  // Without a listener, the end of the connection ends the process. The statement in flight fails in any case.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await requireVersion(client)
    await check?.()
    const connection = {
      query: (sql: string, values?: unknown[]) => client.query(sql, values),
      exec: (script: string) => client.query(script),
    }
    const migrations = await applyMigrations(connection, {
      onProgress: onMigration,
      before: () => before?.(client) ?? Promise.resolve(),
      isNew,
    })
    const { rows } = await client.query<{ version: string; isReadOnly: boolean }>(
      `SELECT current_setting('server_version') AS version, current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    )
    const [{ version, isReadOnly } = { version: '', isReadOnly: false }] = rows
    return { database: `PostgreSQL ${version}`, isReadOnly, migrations }
  } finally {
    await client.end()
  }
}

function clientOf(url: string): HostClient {
  // If the password contains an unescaped special character, pg reads the rest as the host or path. The errors of pg
  // contain the host and the path.
  const [, authority = ''] = /^\w+:\/\/([^/?#]*)/.exec(url) ?? []
  try {
    if (authority.includes('@') || !url.includes('@')) return new HostClient(connectionOptions(url))
  } catch {}
  throw new Error('DATABASE_URL cannot be parsed. Percent-encode special characters in it, such as # as %23.')
}

export function connectionOptions(url: string): pg.ClientConfig & { hosts: Hosts | undefined } {
  const hosts = hostsOf(url)
  return {
    hosts,
    // A client replaces this by the URL of the current host.
    connectionString: hosts?.current ?? url,
    application_name: 'skein',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
  }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num')
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (version < oldestVersion) {
    throw new Error(`it runs PostgreSQL ${version}, but version ${oldestVersion} or later is required.`)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  const reason = error instanceof Error ? error.message : String(error)
  return reason.includes('client password must be') ? 'it requires a password, but none was given' : reason
}

type ServerPoolsOptions = { poolSize: number; onError: (error: Error) => void; onRecovery: () => void }

function serverPools(url: string, { poolSize, onError, onRecovery }: ServerPoolsOptions) {
  const isBusy = (pool: pg.Pool) => pool.totalCount > pool.idleCount || pool.waitingCount > 0
  const heartbeat = new Heartbeat({
    connection: connectionOptions(url),
    isBusy: () => isBusy(pool) || isBusy(backgroundPool),
    onSilence: onError,
    onAnswer: onRecovery,
  })
  const options: pg.PoolConfig = {
    ...connectionOptions(url),
    ...poolOptions,
    stream: heartbeat.socket,
    onConnect: (client) => prepareConnection(client, timeLimits),
  }
  const pool = new pg.Pool({ ...options, max: poolSize })
  const backgroundPool = new pg.Pool({ ...options, max: 1, idleTimeoutMillis: 0 })
  reportErrors(backgroundPool, onError)
  return { pool, backgroundPool, heartbeat }
}

async function prepareConnection(client: pg.ClientBase, settings = ''): Promise<void> {
  // A server that vanished sends no error, and the kernel would wait 15 minutes for it.
  const { stream } = (client as pg.Client).connection
  if (stream instanceof Socket) stream.setTimeout(silenceTimeoutMs, () => stream.destroy())
  // Prisma writes times without a zone and reads them as UTC, even if the server, role or URL sets another zone.
  await client.query(`SET timezone TO 'UTC'; SET datestyle TO 'ISO'; ${planning}; ${settings}`)
}

const poolOptions = {
  Client: CheckedClient,
  connectionTimeoutMillis: connectTimeoutMs,
  pipeline: true,
  maxLifetimeSeconds,
  onConnect: prepareConnection,
}
