import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from './log/open-log.ts'
import { openDataDir } from './open-data-dir.ts'
import type { StartOptions } from './serve.ts'
import { readSettings } from './settings/read-settings.ts'
import { startTracing } from './start-tracing.ts'

type Environment = Record<string, string | undefined>

/** Starts the service. If that fails, prints the reason and exits with 1. */
export async function start(env: Environment, options: StartOptions = {}): Promise<void> {
  await tryStart(env, options).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  })
}

async function tryStart(env: Environment, options: StartOptions): Promise<void> {
  const { log, isTerminal, say } = openLog()
  const { settings, warnings, shown } = await readSettings(env)
  log.level = settings.logLevel
  for (const warning of warnings) log.warn(warning)
  openDataDir(settings.dataDir)
  if (settings.databaseURL === undefined && !existsSync(join(settings.dataDir, 'db'))) {
    say(`Creating the database in ${settings.dataDir} ...\n`)
  }
  if (/\bskein:sql\b/.test(env.DEBUG ?? '')) {
    const { printStatements } = await import('../database/driver/observe-statements.ts')
    printStatements()
  }
  // Loading all modules takes a second. Problems that can be found without these modules are reported first.
  const stopTracing = await startTracing(env, log)
  const { serve } = await import('./serve.ts')
  const served = await serve(settings, log, { ...options, shownSettings: shown, stopTracing })
  if (!isTerminal) {
    // A log must not contain sign-in links.
    log.info({ url: served.config.baseURL }, 'Run `npm run admin -- welcome` for a sign-in link')
    return
  }
  const { welcome } = await import('../starter/welcome.ts')
  say(await welcome(served))
}
