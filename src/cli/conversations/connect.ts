import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Credentials, Skein } from '../../sdk/index.ts'
import { Failure } from '../failure.ts'
import type { Environment } from '../server.ts'

type Starter = Credentials & { baseURL: string; webhookURL?: string }

/**
 * Connects as an app: with the credentials in a JSON file, by default starter.json in the data directory. The operator
 * manages workspaces and reads no conversations, so these commands act as an app. Throws Failure.
 */
export function connect(path: string | undefined, env: Environment): { skein: Skein; credentials: Starter } {
  const file = path ?? join(resolve(env.DATA_DIR || './data'), 'starter.json')
  const credentials = read(file)
  try {
    return { skein: new Skein({ ...credentials, retries: 1, timeoutMs: 20_000 }), credentials }
  } catch (error) {
    throw new Failure(`${file} cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

function read(file: string): Starter {
  const names = ['baseURL', 'workspaceID', 'clientID', 'clientSecret', 'redirectURI'] as const
  let content: Partial<Starter>
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new Failure(
      `There is no app to act as: ${file} cannot be read, or is not JSON.\n` +
        `Name a file with --credentials that has ${names.join(', ')}.`,
    )
  }
  const missing = names.filter((name) => typeof content[name] !== 'string')
  if (missing.length > 0) throw new Failure(`${file} does not have: ${missing.join(', ')}.`)
  return content as Starter
}
