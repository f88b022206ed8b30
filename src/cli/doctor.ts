import { Failure } from './failure.ts'
import type { Output } from './print.ts'
import type { Subcommand } from './subcommands.ts'

const marks = { ok: 'ok     ', warning: 'WARNING', failure: 'FAILURE' }

export const doctor: Subcommand = {
  usage: 'doctor',
  description:
    'Check mail, base URL, proxy, database, clock, storage, keys and backup, and say what to do. Run it on the machine of the service, with its settings.',
  example: '',
  run: async (_client, _command, { env }) => findings(env),
}

async function* findings(env: Record<string, string | undefined>): AsyncGenerator<Output> {
  // Loading the service takes a second.
  const { examine } = await import('../start/doctor/doctor.ts')
  let failures = 0
  for await (const checked of examine(env)) {
    const { check, state, finding, advice } = checked
    if (state === 'failure') failures += 1
    const line = `${marks[state]}  ${check}: ${finding}`
    yield { json: checked, text: advice === undefined ? line : `${line}\n         ${advice}` }
  }
  if (failures > 0) throw new Failure(failures === 1 ? '1 check failed.' : `${failures} checks failed.`)
}
