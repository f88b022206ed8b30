import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from './app.ts'
import { sweepAccessTokens } from './apps/tokens/access-tokens.ts'
import type { Config } from './config.ts'
import { declareDistributed } from './database/batches/write-queues.ts'
import { openDatabase } from './database/database.ts'
import { sweepFiles } from './files/sweep-files.ts'
import { startIndexing } from './messages/search/start-indexing.ts'
import { removeAddress, writeAddress } from './start/address-file.ts'
import { explainListenErrors } from './start/check-address.ts'
import { openLog } from './start/log/open-log.ts'
import { openDataDir } from './start/open-data-dir.ts'
import { openStorage } from './start/open-storage.ts'
import { operatorToken } from './start/operator-token.ts'
import { runPeriodically } from './start/run-periodically.ts'
import { readSettings } from './start/settings/read-settings.ts'
import { stopOnSignals } from './start/stop-on-signals.ts'
import { createStarterWorkspace } from './starter/create-starter-workspace.ts'
import { refreshStarter } from './starter/refresh-starter.ts'
import { welcome } from './starter/welcome.ts'

const sweepEveryMs = 60 * 60 * 1000

// The AWS SDK still supports Node 20, but prints a long warning about it at startup.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const { log, isTerminal, say } = openLog()
await start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
})

async function start(): Promise<void> {
  const { settings, warnings } = await readSettings(process.env)
  log.level = settings.logLevel
  for (const warning of warnings) log.warn(warning)
  const { dataDir, databaseURL, databasePoolSize: poolSize } = settings
  openDataDir(dataDir)
  if (databaseURL === undefined && !existsSync(join(dataDir, 'db'))) {
    say(`Creating the database in ${dataDir} ...\n`)
  }
  const opened = await openDatabase({
    databaseURL,
    dataDir,
    poolSize,
    onError: (err) => log.warn({ err }, 'database error'),
    onRecovery: () => log.info('the database responds again'),
  })
  if (settings.databaseDistributed) declareDistributed(opened.db)
  const config: Config = { ...settings, operatorToken: await operatorToken(settings) }
  const { db, embedded } = opened
  const storage = await openStorage(config)
  const app = await buildApp({ config, db, storage, log })
  const sweep = () => Promise.all([sweepAccessTokens(db), sweepFiles({ db, storage })])
  const stopSweeping = runPeriodically(sweepEveryMs, sweep, (err) => log.warn({ err }, 'the sweep failed'))
  const stopIndexing = startIndexing(db, {
    schemes: config.mentionSchemes,
    onError: (err) => log.warn({ err }, 'indexing failed'),
  })
  app.addHook('onClose', async () => {
    await removeAddress(config)
    await stopSweeping()
    await stopIndexing()
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
  if (isTerminal) say(await welcome({ config }))
}
