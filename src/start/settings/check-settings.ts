// A separate program. It writes what is wrong with the settings and exits with 1, or writes nothing.
import { readSettings } from './read-settings.ts'

try {
  await readSettings(process.env)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
