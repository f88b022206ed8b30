import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Starter } from '../../src/starter/create-starter-workspace.ts'
import { mutation } from '../support/mutations.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { browserOptions } from './browser-options.ts'

/** The built service with its starter workspace, and a browser. `home` is the path of the workspace. */
export type Site = { service: RunningProcess; browser: Browser; starter: Starter; home: string }

/** Starts a site before the tests of the file, and stops it after them. It has its fields only meanwhile. */
export function siteOfFile(env: Record<string, string> = {}): Site {
  const site = {} as Site
  beforeAll(async () => void Object.assign(site, await startSite(env)))
  afterAll(() => stopSite(site))
  return site
}

export async function startSite(env: Record<string, string> = {}): Promise<Site> {
  const service = await startProcess(env)
  // The service itself creates the starter workspace only in the embedded database.
  if (env.DATABASE_URL) await createStarterWorkspace(service)
  const starter = JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
  return { service, starter, home: `/${starter.workspaceID}`, browser: await chromium.launch(browserOptions) }
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

/** Stops what has been started. */
export async function stopSite({ browser, service }: Partial<Site> = {}): Promise<void> {
  await browser?.close()
  await service?.stop()
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
  const answer = await fetch(`${starter.baseURL}/operator/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${starter.operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: mutation(name, selection), variables: { input } }),
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

/** Opens an invitation, and joins with a password. */
export async function joinBy(page: Page, link: string, password: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'))
}

/** Returns a link that signs in the owner of an email address. */
export async function signInLink(site: Site, email: string): Promise<string> {
  return (await operate(site, 'createSignInLink', { email }, 'url')).url
}
