import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from './start/log/open-log.ts'
import { openDataDir } from './start/open-data-dir.ts'
import { readSettings } from './start/settings/read-settings.ts'

// The AWS SDK still supports Node 20, but prints a warning of eight lines when it starts.
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
  openDataDir(settings.dataDir)
  if (settings.databaseURL === undefined && !existsSync(join(settings.dataDir, 'db'))) {
    say(`Creating the database in ${settings.dataDir} ...\n`)
  }
  if (/\bskein:sql\b/.test(process.env.DEBUG ?? '')) {
    const { printStatements } = await import('./database/driver/log-statements.ts')
    printStatements()
  }
  // Loading all modules takes a second. Problems that can be found without these modules are reported first.
  const { serve } = await import('./start/serve.ts')
  const served = await serve(settings, log)
  if (!isTerminal) {
    // A log must not contain sign-in links.
    log.info({ url: served.config.baseURL }, 'Run `npm run admin -- welcome` for a sign-in link')
    return
  }
  const { welcome } = await import('./starter/welcome.ts')
  say(await welcome(served))
}
