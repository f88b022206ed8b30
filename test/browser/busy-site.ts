import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { freePort, newDataDir, repository, startProcess } from '../support/process.ts'
import { browserOptions } from './browser-options.ts'
import type { Site } from './site.ts'

const seed = ['--import', './.config/typescript-workers.mjs', '--import', 'tsx', 'test/seed/main.ts']

/** Starts the built service with a small busy team instead of the starter workspace. */
export async function startBusySite(): Promise<Site> {
  const dataDir = await newDataDir()
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(await freePort()) }
  await promisify(execFile)(process.execPath, [...seed, 'busy', '--small'], {
    cwd: repository,
    env,
  })
  const service = await startProcess(env)
  const baseURL = `http://localhost:${env.PORT}`
  const operatorToken = (await readFile(join(dataDir, 'operator-token'), 'utf8')).trim()
  const answer = await fetch(`${baseURL}/operator/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ workspaces(first: 1) { nodes { id } } }' }),
  })
  const { data } = (await answer.json()) as { data: { workspaces: { nodes: { id: string }[] } } }
  const workspaceID = data.workspaces.nodes[0]?.id ?? ''
  const without = { groupID: '', privateGroupID: '', userIDs: [], appID: '', clientID: '', clientSecret: '' }
  const starter = { ...without, redirectURI: '', webhookURL: '', baseURL, workspaceID, operatorToken }
  return { service, starter, home: `/${workspaceID}`, browser: await chromium.launch(browserOptions) }
}
