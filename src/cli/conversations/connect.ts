import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Credentials, Skein } from '../../sdk/index.ts'
import type { Client } from '../client.ts'
import { Failure } from '../failure.ts'
import { dataDirOf, type Environment } from '../server.ts'
import { requireWorkspace } from '../subcommands.ts'

type Starter = Credentials & { baseURL: string }

/** Connects as an app, because the operator cannot read conversations. */
export async function connect(client: Client, command: Command, env: Environment): Promise<Skein> {
  const { credentials: path, url } = command.optsWithGlobals<{ credentials?: string; url: string }>()
  const file = path ?? join(dataDirOf(env), 'starter.json')
  const credentials = read(file)
  await requireWorkspace(client, command, credentials.workspaceID, `The app in ${file}`)
  // Only --url overrides the URL in the credentials file, because BASE_URL can refer to another server.
  const isURLGiven = command.getOptionValueSourceWithGlobals('url') === 'cli'
  const baseURL = isURLGiven ? url : credentials.baseURL
  const { workspaceID, clientID, clientSecret, redirectURI } = credentials
  const app = { workspaceID, clientID, clientSecret, redirectURI }
  try {
    return new Skein({ ...app, baseURL, retries: 1, timeoutMs: 20_000 })
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
      `No app credentials were found: ${file} cannot be read or is not valid JSON.\n` +
        `Use --credentials to specify a file that contains ${names.join(', ')}.`,
    )
  }
  const missing = names.filter((name) => typeof content[name] !== 'string')
  if (missing.length > 0) throw new Failure(`${file} does not contain ${missing.join(', ')}.`)
  return content as Starter
}
