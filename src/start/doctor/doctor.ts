import type { Settings } from '../../config.ts'
import { readConfig } from '../../config.ts'
import { type Finding, failure, reasonOf } from './check.ts'
import { checkBaseURL, checkProxy } from './check-base-url.ts'
import { checkClock, checkDatabase } from './check-database.ts'
import { checkBackup, checkKeys, checkLimits, checkMail, checkSignIn, checkStorage } from './check-parts.ts'

export type Checked = Finding & { check: string }

const checks: [name: string, check: (settings: Settings) => Promise<Finding>][] = [
  ['base URL', checkBaseURL],
  ['proxy', checkProxy],
  ['database', checkDatabase],
  ['clock', checkClock],
  ['storage', checkStorage],
  ['keys', checkKeys],
  ['limits', checkLimits],
  ['mail', checkMail],
  ['sign-in', checkSignIn],
  ['backup', checkBackup],
]

/** Checks what the service needs, with its settings. Yields a finding for each check. Changes nothing. */
export async function* examine(env: Record<string, string | undefined>): AsyncGenerator<Checked> {
  let settings: Settings
  try {
    settings = readConfig(env)
  } catch (error) {
    yield {
      check: 'settings',
      ...failure(reasonOf(error), 'Correct the settings. .env.example explains each.'),
    }
    return
  }
  for (const [check, run] of checks) {
    const found = await run(settings).catch((error: unknown) =>
      failure(`The check failed: ${reasonOf(error)}.`, 'Report this as a fault of Skein.'),
    )
    yield { check, ...found }
  }
}
