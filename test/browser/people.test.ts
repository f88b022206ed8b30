import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { mutation } from '../support/mutations.ts'
import { joinBy, operate, signInBy, signInLink, siteOfFile } from './site.ts'
import { originsOf, type WatchedContext, watchedContext } from './watched-context.ts'

const site = siteOfFile()
let ada: WatchedContext
let bob: WatchedContext
let bobID: string
const bobsAddress = 'bob@example.com'
const password = 'seven purple ladders hum'
const redirectURI = 'http://127.0.0.1:1/callback'

beforeAll(async () => {
  ada = await watchedContext(site.browser)
  bob = await watchedContext(site.browser)
})

/** Sends a GraphQL request with the session of a page. Opens the explorer first, whose policy allows such requests. */
async function ask(page: Page, query: string, variables: object = {}) {
  if (new URL(page.url()).pathname !== '/explorer') await page.goto(`${site.starter.baseURL}/explorer`)
  const { workspaceID } = site.starter
  const answer = await page.evaluate(
    async ([workspaceID = '', body = '']) => {
      const headers = { 'Content-Type': 'application/json', 'Skein-Workspace': workspaceID }
      const response = await fetch('/public/graphql', { method: 'POST', headers, body })
      return response.text()
    },
    [workspaceID, JSON.stringify({ query, variables })],
  )
  return JSON.parse(answer)
}

const forbidden = [{ extensions: { code: 'FORBIDDEN' } }]
const viewer = '{ viewer { workspaceRole user { name } } }'
const invite = mutation('inviteUser', 'user { id } invitationURL')

test('an admin invites a person, who joins with a password', async () => {
  const { workspaceID, baseURL } = site.starter
  await signInBy(ada.page, await signInLink(site, 'ada@example.com'))
  const { data } = await ask(ada.page, invite, { input: { workspaceID, email: bobsAddress, name: 'Bob' } })
  const { user, invitationURL } = data.inviteUser
  bobID = user.id
  await joinBy(bob.page, invitationURL, password)
  expect(bob.page.url()).toBe(`${baseURL}/${workspaceID}/inbox`)
  await bob.page.goto(`${baseURL}/account`)
  expect(await bob.page.locator('main').innerText()).toContain('Skein starter, as Bob')
  await bob.page.getByRole('button', { name: 'Change the password' }).waitFor()
})

test('the person signs out, and signs in with the password', async () => {
  await bob.page.getByRole('button', { name: 'Sign out' }).click()
  await bob.page.waitForURL('**/signin')
  await bob.page.getByLabel('Email address').fill(bobsAddress)
  await bob.page.getByLabel('Password').fill(password)
  await bob.page.getByRole('button', { name: 'Sign in' }).click()
  await bob.page.waitForURL('**/inbox')
  await bob.page.goto(`${site.starter.baseURL}/account`)
  expect(await bob.page.getByText('(this browser)').innerText()).toMatch(
    /^Chrome on Linux \(this browser\)\nSigned in /,
  )
})

test('each person has the permissions of their role', async () => {
  const { workspaceID, privateGroupID } = site.starter
  const group = `{ group(id: "${privateGroupID}") { name } }`
  expect(await ask(ada.page, viewer)).toMatchObject({
    data: { viewer: { workspaceRole: 'admin', user: { name: 'Ada' } } },
  })
  expect(await ask(bob.page, viewer)).toMatchObject({
    data: { viewer: { workspaceRole: 'member', user: { name: 'Bob' } } },
  })
  expect(await ask(ada.page, group)).toMatchObject({ data: { group: { name: 'Leads' } } })
  expect(await ask(bob.page, group)).toMatchObject({ data: { group: null } })
  const groups = '{ groups { nodes { name } } }'
  const names = async (page: Page) =>
    (await ask(page, groups)).data.groups.nodes.map(({ name }: { name: string }) => name)
  expect(await names(ada.page)).toContain('Leads')
  expect(await names(bob.page)).not.toContain('Leads')
  const update = mutation('updateWorkspace', 'workspace { name }')
  const rename = { input: { workspaceID, name: 'Skein starter' } }
  expect((await ask(bob.page, update, rename)).errors).toMatchObject(forbidden)
  expect((await ask(ada.page, update, rename)).errors).toBeUndefined()
  const input = { workspaceID, email: 'carol@example.com', name: 'Carol' }
  expect((await ask(bob.page, invite, { input })).errors).toMatchObject(forbidden)
})

test('only the admin can install an app', async () => {
  const { workspaceID, baseURL } = site.starter
  const app = { workspaceID, name: 'Calendar', redirectURIs: [redirectURI] }
  const { clientID } = await operate(site, 'createApp', app, 'clientID')
  const parameters = { response_type: 'code', client_id: clientID, redirect_uri: redirectURI }
  const url = `${baseURL}/oauth/authorize?${new URLSearchParams(parameters)}`
  const seen = async ({ page }: WatchedContext) => {
    await page.goto(url)
    return {
      workspaces: await page.locator('option').allInnerTexts(),
      buttons: await page.locator('main button').allInnerTexts(),
      problem: await page.getByRole('alert').allInnerTexts(),
    }
  }
  expect(await seen(ada)).toEqual({
    workspaces: ['Skein starter'],
    buttons: ['Allow', 'Cancel', 'Use another account'],
    problem: [],
  })
  expect(await seen(bob)).toEqual({
    workspaces: [],
    buttons: ['Cancel', 'Use another account'],
    problem: [
      'Only an admin can install an app. Ask an admin of the workspace Skein starter to open this page.',
    ],
  })
})

test("a removed person's next request is refused", async () => {
  expect((await ask(bob.page, viewer)).errors).toBeUndefined()
  const remove = mutation('deleteUser', 'user { deletedAt }')
  expect((await ask(ada.page, remove, { input: { userID: bobID } })).errors).toBeUndefined()
  expect((await ask(bob.page, viewer)).errors).toMatchObject(forbidden)
  await bob.page.goto(`${site.starter.baseURL}/account`)
  expect(await bob.page.locator('main').innerText()).not.toContain('Skein starter')
})

test('the pages report no errors, and send requests only to the service', () => {
  // Bob sent this request after he was removed.
  const refused = [[], ['POST /public/graphql: 403']]
  for (const [index, { complaints, failures, requested }] of [ada, bob].entries()) {
    expect({ complaints, failures, origins: originsOf(requested) }).toEqual({
      complaints: [],
      failures: refused[index],
      origins: [site.starter.baseURL],
    })
  }
})
