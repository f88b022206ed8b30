import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Starter } from '../../src/starter/create-starter-workspace.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { browserOptions } from './browser-options.ts'

/** The built service with its starter workspace, and a browser. */
export type Site = { service: RunningProcess; browser: Browser; starter: Starter }

export async function startSite(env: Record<string, string> = {}): Promise<Site> {
  const service = await startProcess(env)
  // The service itself creates the starter workspace only in the embedded database.
  if (env.DATABASE_URL) await createStarterWorkspace(service)
  const starter = JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
  return { service, starter, browser: await chromium.launch(browserOptions) }
}

async function createStarterWorkspace({ url, dataDir }: RunningProcess): Promise<void> {
  const token = (await readFile(join(dataDir, 'operator-token'), 'utf8')).trim()
  const answer = await fetch(`${url}/operator/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'mutation { createStarterWorkspace { path } }' }),
  })
  const { errors } = (await answer.json()) as { errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
}

export async function stopSite(site: Site | undefined): Promise<void> {
  await site?.browser.close()
  await site?.service.stop()
}

// biome-ignore lint/suspicious/noExplicitAny: The tests know what they select.
type Payload = Record<string, any>

/** Runs a mutation with the operator token, and returns its payload. */
export async function operate(
  { starter }: Site,
  name: string,
  input: object,
  selection: string,
): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
  const answer = await fetch(`${starter.baseURL}/operator/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${starter.operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  })
  const { data, errors } = (await answer.json()) as { data?: Record<string, Payload>; errors?: unknown }
  const payload = data?.[name]
  if (!payload) throw new Error(`${name} failed: ${JSON.stringify(errors)}`)
  return payload
}

/** Opens a link, and signs in with it. */
export async function signInBy(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'))
}

/** Returns a link that signs in the owner of an email address. */
export async function signInLink(site: Site, email: string): Promise<string> {
  return (await operate(site, 'createSignInLink', { email }, 'url')).url
}
