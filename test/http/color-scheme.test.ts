import { expect, test } from 'vitest'
import { makeWorld } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()
const world = await makeWorld(service)
const person = await signedIn(service, world, 'member')

const get = (url: string, cookie: string) =>
  service.app.inject({ url, headers: { cookie: `${person.cookie}; ${cookie}`, accept: 'text/html' } })
const attributes = (page: string) => /<html([^>]*)>/.exec(page)?.[1]?.trim().split(' ').toSorted()

test.each([
  ['the web app', `/${world.workspaceID}/inbox`],
  ['the account page', '/account'],
  ['the sign-in page', '/signin?prompt=login'],
  ['the page of an expired link', '/signin/link/unknown'],
  ['the documentation', '/docs/web-app'],
  ['the page of a wrong address', '/nowhere'],
  ['the page of an address that cannot be read', '/no%zzwhere'],
])('%s has the colors that the person has chosen, and no colors of a cache', async (_name, url) => {
  for (const scheme of ['light', 'dark']) {
    const page = await get(url, `color-scheme=${scheme}`)
    expect(attributes(page.body)).toEqual([`data-mantine-color-scheme="${scheme}"`, 'lang="en"'])
    expect(String(page.headers.vary)).toMatch(/(^|, )Cookie$/)
  }
  for (const other of ['color-scheme=auto', 'color-scheme="><script>', 'my-color-scheme=dark', 'a=1']) {
    expect(attributes((await get(url, other)).body)).toEqual(['lang="en"'])
  }
})

test('the web app keeps a choice for another year', async () => {
  const { headers } = await get(`/${world.workspaceID}/inbox`, 'color-scheme=dark')
  expect(headers['set-cookie']).toBe('color-scheme=dark; Path=/; Max-Age=31536000; SameSite=Lax')
})
