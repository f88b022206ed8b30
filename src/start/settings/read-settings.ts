import { environment, readConfig, type Settings } from '../../config.ts'
import { checkAddress } from '../check-address.ts'
import { readEnvironmentFile } from './environment-file.ts'
import { misspelledSettings } from './misspelled-settings.ts'
import { shownSettings } from './shown-settings.ts'

type Environment = Record<string, string | undefined>

type ReadSettings = { settings: Settings; warnings: string[]; shown: Record<string, string> }

/** Reads `.env` and the environment, and checks that the address is free. An Error names all wrong settings. */
export async function readSettings(env: Environment): Promise<ReadSettings> {
  const strayLines = readEnvironmentFile(env)
  const names = Object.keys(environment.shape)
  const warnings = [...strayLines, ...misspelledSettings(env, names)]
  const settings = readOrExplain(env, warnings)
  await checkAddress(settings)
  return { settings, warnings, shown: shownSettings(env, names) }
}

function readOrExplain(env: Environment, warnings: string[]): Settings {
  try {
    return readConfig(env)
  } catch (error) {
    const problems = error instanceof Error ? error.message : String(error)
    throw new Error([problems, ...warnings.map((warning) => `  ${warning}`)].join('\n'))
  }
}
