import type { Logger } from 'pino'
import { readSigningKey } from '../accounts/signing-key.ts'
import { buildApp } from '../app.ts'
import type { Config, Settings } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { reportSlowStatements } from '../database/driver/observe-statements.ts'
import { built } from '../generated/version.ts'
import { serveMetrics } from '../http/metrics-server.ts'
import { warnOf } from '../http/outages.ts'
import { startIndexing } from '../messages/search/indexing/start-indexing.ts'
import { createStarterWorkspace } from '../starter/create-starter-workspace.ts'
import { refreshStarter } from '../starter/refresh-starter.ts'
import { wasStarterRemoved } from '../starter/remove-starter-workspace.ts'
import { removeAddress, writeAddress } from './address-file.ts'
import { explainListenErrors } from './check-address.ts'
import { measureDataDir } from './measure-data-dir.ts'
import { openStorage } from './open-storage.ts'
import { operatorToken } from './operator-token.ts'
import { backUpBeforeMigration, startBackups } from './start-backups.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { startSweeping } from './sweeps.ts'

/** `acceptCopy` starts the service although its data directory seems to be a copy. */
export type StartOptions = { acceptCopy?: boolean }

type Prepared = { shownSettings: Record<string, string>; stopTracing: () => Promise<void> }

/** Opens the database and the storage, and listens until a signal stops the process. */
export async function serve(
  settings: Settings,
  log: Logger,
  { shownSettings, stopTracing, acceptCopy = false }: StartOptions & Prepared,
): Promise<{ config: Config; db: Database }> {
  const { dataDir, databaseURL, databasePoolSize: poolSize } = settings
  const opened = await openDatabase({
    databaseURL,
    dataDir,
    poolSize,
    onError: warnOf(log, 'database error'),
    onRecovery: () => log.info('the database responds again'),
    onMigration: (text) => log.info(text),
    acceptCopy,
    beforeMigration: (online) => backUpBeforeMigration({ settings, online, log }),
  })
  if (opened.about.isReadOnly)
    log.warn('the database is a read-only standby: nothing can be written until it is promoted')
  reportSlowStatements(settings.slowStatementMs, (statement) => log.warn(statement, 'slow statement'))
  const { db, embedded } = opened
  const signingKey = await readSigningKey(db)
  const config: Config = { ...settings, operatorToken: await operatorToken(settings), signingKey }
  const storage = await openStorage(config)
  const { version, commit } = built
  const { signInMethods } = settings
  log.info({ version, commit, ...opened.about, signInMethods, settings: shownSettings }, 'starting')
  const backups = opened.backup && (await startBackups({ settings, online: opened.backup, log }))
  const app = await buildApp({ config, db, storage, log })
  app.eventLog.start()
  app.deliveries.start()
  const stopSweeping = startSweeping({ config, db, storage, log }, backups)
  const stopIndexing = startIndexing(db, {
    schemes: config.mentionSchemes,
    onError: warnOf(log, 'indexing failed'),
  })
  app.addHook('onClose', async () => {
    await removeAddress(config)
    await backups?.stop()
    await stopSweeping()
    await app.deliveries.stop()
    await stopIndexing()
    await app.webhookCalls.flush()
    await storage.close()
    await opened.close()
    await stopTracing()
  })
  stopOnSignals(app, log, config)
  const wantsStarter = embedded && config.starter && !wasStarterRemoved(config.dataDir)
  if (wantsStarter && (await db.workspace.count()) === 0) {
    await createStarterWorkspace({ db, config, storage, log, actor: { kind: 'operator' } })
  }
  await Promise.all([refreshStarter(config), writeAddress(config)]).catch((err) =>
    log.warn({ err }, 'the addresses in the data directory could not be updated'),
  )
  measureDataDir(config.dataDir)
  const { host, port, metrics } = config
  if (metrics) {
    const address = { ...metrics, prefix: 'METRICS_' }
    const stopMetrics = await explainListenErrors(address, () => serveMetrics(metrics))
    app.addHook('onClose', stopMetrics)
  }
  await explainListenErrors(config, () => app.listen({ host, port }))
  return { config, db }
}
