import { pino } from 'pino'
import { readSigningKey } from '../../src/accounts/signing-key.ts'
import { openDatabase } from '../../src/database/database.ts'
import { openDataDir } from '../../src/start/open-data-dir.ts'
import { openStorage } from '../../src/start/open-storage.ts'
import { operatorToken } from '../../src/start/operator-token.ts'
import { readSettings } from '../../src/start/settings/read-settings.ts'
import type { Size } from './plan.ts'
import { seedOnce } from './seed-once.ts'

const usage = `Usage: npm run seed -- busy [--small]

Creates the workspace "Busy team" in the database of the settings: 30 people with 60 groups, 3,000 threads and 60,000
messages of the last three weeks. Stop the service before, if its database is embedded. If the workspace exists, only
prints new sign-in links. With --small, there are 12 people, 200 threads and 1,500 messages.
`

const sizes = new Map<string, Size>([
  ['busy', { people: 30, groups: 60, threads: 3000, messages: 60_000 }],
  ['busy --small', { people: 12, groups: 60, threads: 200, messages: 1500 }],
])

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
})
// The threads that compute digests stay.
process.exit()

async function main(): Promise<void> {
  const size = sizes.get(process.argv.slice(2).join(' '))
  if (!size) throw new Error(usage)
  const { settings } = await readSettings(process.env)
  openDataDir(settings.dataDir)
  const { databaseURL, dataDir, databasePoolSize: poolSize } = settings
  const { db, close } = await openDatabase({ databaseURL, dataDir, poolSize })
  const signingKey = await readSigningKey(db)
  const config = { ...settings, operatorToken: await operatorToken(settings), signingKey }
  const storage = await openStorage(config)
  try {
    const operator = {
      db,
      config,
      storage,
      log: pino({ level: 'silent' }),
      actor: { kind: 'operator' },
    } as const
    await seedOnce(operator, size, (text) => process.stdout.write(`${text}\n`))
  } finally {
    await storage.close()
    await close()
  }
}
