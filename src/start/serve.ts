import type { Logger } from 'pino'
import { sweepSignInLinks } from '../accounts/links/sign-in-links.ts'
import { sweepSessions } from '../accounts/sessions/session.ts'
import { buildApp } from '../app.ts'
import { sweepGrants } from '../apps/grants/end-grant.ts'
import { sweepAccessTokens } from '../apps/tokens/access-tokens.ts'
import type { Config, Settings } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { sweepEvents } from '../events/sweep-events.ts'
import { sweepEndpoints } from '../feeds/sweep-feeds.ts'
import { sweepFiles } from '../files/sweep-files.ts'
import { isAttached } from '../messages/access.ts'
import { startIndexing } from '../messages/search/indexing/start-indexing.ts'
import { sweepCalls } from '../messages/webhook-calls/sweep-calls.ts'
import { createStarterWorkspace } from '../starter/create-starter-workspace.ts'
import { refreshStarter } from '../starter/refresh-starter.ts'
import { sweepPersonalTokens } from '../users/tokens/personal-tokens.ts'
import { removeAddress, writeAddress } from './address-file.ts'
import { explainListenErrors } from './check-address.ts'
import { openStorage } from './open-storage.ts'
import { operatorToken } from './operator-token.ts'
import { stopOnSignals } from './stop-on-signals.ts'

const sweepEveryMs = 60 * 60 * 1000

/** Opens the database and the storage, and listens until a signal stops the process. */
export async function serve(settings: Settings, log: Logger): Promise<{ config: Config; db: Database }> {
  const { dataDir, databaseURL, databasePoolSize: poolSize } = settings
  const opened = await openDatabase({
    databaseURL,
    dataDir,
    poolSize,
    onError: (err) => log.warn({ err }, 'database error'),
    onRecovery: () => log.info('the database responds again'),
  })
  const config: Config = { ...settings, operatorToken: await operatorToken(settings) }
  const { db, embedded } = opened
  const storage = await openStorage(config)
  const app = await buildApp({ config, db, storage, log })
  const sweep = () =>
    Promise.all([
      sweepAccessTokens(db),
      sweepSessions(db),
      sweepSignInLinks(db),
      sweepGrants(db),
      sweepPersonalTokens(db),
      sweepFiles({ db, storage }, isAttached),
      sweepEvents(db, config.eventTTLDays),
      sweepEndpoints(db, config.eventTTLDays),
      sweepCalls(db),
    ])
  app.eventLog.start()
  app.deliveries.start()
  const stopSweeping = runPeriodically(sweepEveryMs, sweep, (err) => log.warn({ err }, 'the sweep failed'))
  const stopIndexing = startIndexing(db, {
    schemes: config.mentionSchemes,
    onError: (err) => log.warn({ err }, 'indexing failed'),
  })
  app.addHook('onClose', async () => {
    await removeAddress(config)
    await stopSweeping()
    await app.deliveries.stop()
    await stopIndexing()
    await app.webhookCalls.flush()
    await storage.close()
    await opened.close()
  })
  stopOnSignals(app, log, config.shutdownTimeoutSeconds)
  if (embedded && config.starter && (await db.workspace.count()) === 0) {
    await createStarterWorkspace({ db, config, storage, log, actor: { kind: 'operator' } })
  }
  await Promise.all([refreshStarter(config), writeAddress(config)]).catch((err) =>
    log.warn({ err }, 'the addresses in the data directory could not be updated'),
  )
  const { host, port } = config
  await explainListenErrors(config, () => app.listen({ host, port }))
  return { config, db }
}

/** Runs work periodically, without overlap. Returns a function that stops it and waits for a run in flight. */
function runPeriodically(
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined
  const run = async () => {
    await work().catch(onError)
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= run()
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
