import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { buildApp } from './app.ts'
import { sweepAccessTokens } from './apps/access-tokens.ts'
import { type Config, readConfig } from './config.ts'
import { keepWorkspacesApart } from './database/lanes.ts'
import { sweepFiles } from './files/sweep-files.ts'
import { keepIndexing } from './messages/search/keep-indexing.ts'
import { openStorage } from './open-storage.ts'
import { operatorToken } from './operator-token.ts'
import { openDatabase } from './platform/database.ts'
import { makeStarter } from './starter/make-starter.ts'
import { welcome } from './starter/welcome.ts'

const sweepEveryMs = 60 * 60 * 1000
const sameSignalMs = 300
/** What a database that is away may still take, after all connections have been cut. */
const lastCallMs = 2000

// Under load a hundred lines are written at a time, and else after a tenth of a second; all are when the process exits.
const logDestination = pino.destination({ minLength: 8 * 1024, periodicFlush: 100, sync: true })
process.on('exit', () => logDestination.flushSync())
const log = pino({ base: undefined }, logDestination)
await start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
})

async function start(): Promise<void> {
  const given = readConfig(process.env)
  log.level = given.logLevel
  const { dataDir, databaseURL, databasePoolSize: poolSize } = given
  const opened = await openDatabase({
    databaseURL,
    dataDir,
    poolSize,
    onError: (err) => log.warn({ err }, 'database'),
  })
  if (given.databaseDistributed) keepWorkspacesApart(opened.db)
  const config: Config = { ...given, operatorToken: await operatorToken(given) }
  const { db, embedded } = opened
  const storage = await openStorage(config)
  const app = await buildApp({ config, db, storage, log })
  const stopSweeping = sweepEvery(sweepEveryMs, () =>
    Promise.all([sweepAccessTokens(db), sweepFiles({ db, storage })]),
  )
  const stopIndexing = keepIndexing(db, {
    scheme: config.mentionScheme,
    onError: (err) => log.warn({ err }, 'indexing'),
  })
  app.addHook('onClose', async () => {
    await stopSweeping()
    await stopIndexing()
    await storage.close()
    await opened.close()
  })
  stopOnSignals(app, config)
  const address = { host: config.host, port: config.port }
  let starter: { path: string } | undefined
  if (embedded && config.starter && (await db.workspace.count()) === 0) {
    // The starter names the address, and is there when the service answers: so whether it is free is tried before.
    await tryAddress(address)
    starter = await makeStarter({ db, config, storage, log, actor: { kind: 'operator' } })
  }
  await app.listen(address)
  if (starter) process.stdout.write(welcome(starter.path))
}

/** Sweeps again and again, and not while it is at it. What it returns ends that, and waits for the one under way. */
function sweepEvery(ms: number, sweep: () => Promise<unknown>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  const timer = setInterval(() => {
    underWay ??= sweep()
      .then(
        () => undefined,
        (err) => log.warn({ err }, 'sweep'),
      )
      .finally(() => {
        underWay = undefined
      })
  }, ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underWay
  }
}

/** Listens on an address and lets it go. Throws what listening on it throws. */
async function tryAddress(address: { host: string; port: number }): Promise<void> {
  const server = createServer().listen(address)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/**
 * Stops on SIGTERM and SIGINT: no new connections, then the requests in flight get their answers, or are cut off at
 * the time limit. A second signal exits at once; but npm passes on the Ctrl-C that the terminal sends to all, so the
 * same one arrives twice.
 */
function stopOnSignals(app: FastifyInstance, { shutdownTimeoutSeconds }: Config): void {
  let stoppingSince: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > sameSignalMs) process.exit(1)
      return
    }
    stoppingSince = Date.now()
    log.info({ signal }, 'stopping')
    void stop(app, log, shutdownTimeoutSeconds * 1000)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

async function stop(app: FastifyInstance, log: Logger, timeoutMs: number): Promise<void> {
  const deadline = setTimeout(() => {
    log.warn('the time limit for stopping is over: connections are cut')
    app.server.closeAllConnections()
    setTimeout(() => process.exit(1), lastCallMs)
  }, timeoutMs)
  try {
    await app.close()
    clearTimeout(deadline)
    log.info('stopped')
    process.exit(0)
  } catch (err) {
    log.error({ err }, 'stopped badly')
    process.exit(1)
  }
}
