import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startCallbackServer } from './callback-server.ts'
import type { ClientSettings } from './oauth-clients/oauth-client.ts'
import { oauth4webapi } from './oauth-clients/oauth4webapi.ts'
import { openidClient } from './oauth-clients/openid-client.ts'
import { isInstalled, pythonClient } from './oauth-clients/python-client.ts'
import { simpleOAuth2 } from './oauth-clients/simple-oauth2.ts'
import { operate, type Site, signInBy, signInLink, startSite, stopSite } from './site.ts'
import { originsOf, type WatchedContext, watchedContext } from './watched-context.ts'

let site: Site
let app: Awaited<ReturnType<typeof startCallbackServer>>
let watched: WatchedContext

beforeAll(async () => {
  site = await startSite()
  app = await startCallbackServer()
  // The pages work without scripts.
  watched = await watchedContext(site.browser, { javaScriptEnabled: false })
})

afterAll(async () => {
  app?.close()
  await stopSite(site)
})

afterEach(() => {
  expect(watched.complaints).toEqual([])
  expect(watched.failures).toEqual([])
  expect(originsOf(watched.requested).sort()).toEqual([app.origin, site.starter.baseURL].sort())
})

/** Signs in if the service asks for it, and allows what an app requests. Returns the URL of the callback. */
async function allow(page: Page, authorizationURL: string): Promise<string> {
  await page.goto(authorizationURL)
  if (new URL(page.url()).pathname === '/signin') {
    await signInBy(page, await signInLink(site, 'ada@example.com'))
  }
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${app.url}?**`)
  return page.url()
}

async function register(name: string, { isPublic }: { isPublic: boolean }) {
  const { workspaceID } = site.starter
  const input = { workspaceID, name, redirectURIs: [app.url], isPublic }
  const { clientID, clientSecret } = await operate(site, 'createApp', input, 'clientID clientSecret')
  return { clientID, clientSecret } as Pick<ClientSettings, 'clientID' | 'clientSecret'>
}

const clients = {
  'openid-client': openidClient,
  oauth4webapi,
  'simple-oauth2': simpleOAuth2,
  ...(isInstalled('authlib') && { Authlib: pythonClient('authlib-client.py') }),
  ...(isInstalled('requests_oauthlib') && {
    'requests-oauthlib': pythonClient('requests-oauthlib-client.py'),
  }),
}

describe.each(Object.entries(clients))('%s', (name, use) => {
  const scope = 'workspaces:read groups:read'

  test('gets, refreshes, inspects and revokes a token of the app', async () => {
    const client = await register(name, { isPublic: false })
    const { baseURL: issuer } = site.starter
    const settings = { issuer, ...client, redirectURI: app.url, scope, actAs: 'app' as const }
    expect(await use(settings, (url) => allow(watched.page, url))).toEqual({
      names: [name, name],
      introspected: expect.objectContaining({ active: true, scope, client_id: client.clientID }),
      statusAfterRevocation: 401,
      activeAfterRevocation: false,
    })
  })

  test('gets, refreshes and revokes a token that acts as the person, without a secret', async () => {
    const client = await register(`Public ${name}`, { isPublic: true })
    const { baseURL: issuer } = site.starter
    const settings = { issuer, ...client, redirectURI: app.url, scope, actAs: 'user' as const }
    expect(await use(settings, (url) => allow(watched.page, url))).toEqual({
      names: ['Ada', 'Ada'],
      introspected: null,
      statusAfterRevocation: 401,
      activeAfterRevocation: null,
    })
  })
})
