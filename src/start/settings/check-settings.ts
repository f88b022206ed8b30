// A separate program. If the settings are wrong, it writes what is wrong and exits with 1. Otherwise it writes nothing.
import { readSettings } from './read-settings.ts'

try {
  await readSettings(process.env)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
