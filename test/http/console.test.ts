import { describe, expect, test } from 'vitest'
import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import { postForm, signIn } from '../support/browser-session.ts'
import { makeWorld, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()
const world = await makeWorld(service)
const { workspaceID, operator } = world
const person = await signedIn(service, world, 'admin')

const get = (url: string, headers = {}) => service.app.inject({ url, headers })
const nonceIn = (policy: unknown) => /'nonce-([^']+)'/.exec(String(policy))?.[1]

describe('the web app', () => {
  test.each([
    `/${workspaceID}`,
    `/${workspaceID}/inbox`,
    `/${workspaceID}/threads/thr_1/msg_1`,
  ])('is returned at %s', async (url) => {
    const page = await get(url)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<div id="root">')
  })

  test('has a content security policy that allows no inline scripts, and a new nonce in each response', async () => {
    const pages = [await get(`/${workspaceID}/inbox`), await get(`/${workspaceID}/inbox`)]
    const nonces = pages.map(({ headers }) => nonceIn(headers['content-security-policy']))
    for (const [index, page] of pages.entries()) {
      expect(page.headers['content-security-policy']).toContain("script-src 'self';")
      expect(page.body).toContain(`nonce="${nonces[index]}"`)
    }
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('contains the limits that the operator has set', async () => {
    const { body } = await get(`/${workspaceID}/inbox`)
    const content = /<meta name="limits" content="([^"]*)"/.exec(body)?.[1] ?? ''
    const { textCharacters, subjectCharacters, attachments, fileBytes } = service.config.limits
    expect(JSON.parse(content.replaceAll('&quot;', '"'))).toEqual({
      textCharacters,
      subjectCharacters,
      attachments,
      fileBytes,
    })
  })

  test('has scripts that browsers can cache, and compresses them on request', async () => {
    const script =
      /type="module"[^>]* src="(\/console\/[^"]+\.js)"/.exec((await get(`/${workspaceID}`)).body)?.[1] ?? ''
    const [plain, gzipped] = [await get(script), await get(script, { 'accept-encoding': 'gzip' })]
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(gzipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  })

  test.each([
    '/console/unknown.js',
    '/console/..%2findex.html',
    '/inbox',
    '/wks',
  ])('is not returned at %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })

  test('answers methods other than GET and HEAD with 405', async () => {
    const answer = await service.app.inject({ method: 'POST', url: `/${workspaceID}/inbox` })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('the start page', () => {
  test('redirects a signed-in person to the inbox of their workspace', async () => {
    const answer = await get('/', { cookie: person.cookie })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/${workspaceID}/inbox`])
  })

  test('redirects a person without a workspace to their account', async () => {
    const answer = await get('/', { cookie: await signIn(service, operator, 'nobody@example.com') })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/account'])
  })
})

describe('after the sign-in, the browser', () => {
  test('returns to the page that was opened before', async () => {
    const wanted = `/${workspaceID}/groups/grp_1?x=1`
    const form = await get(`/signin?continue=${encodeURIComponent(wanted)}`)
    const [{ name, value } = { name: '', value: '' }] = form.cookies
    const account = { email: person.email, workspaceID: null, provesEmail: true }
    const path = await createSignInLink(operator.db, account)
    const answer = await postForm(
      service,
      path,
      {},
      { cookie: `${name}=${value}`, 'sec-fetch-site': 'same-origin' },
    )
    expect([answer.statusCode, answer.headers.location]).toEqual([303, wanted])
  })

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/docs',
    '/wks_1\\@evil.example',
    '/wks_1//evil.example/\n',
  ])('does not go to %s', async (wanted) => {
    const url = `/signin?continue=${encodeURIComponent(wanted)}`
    const answer = await get(url, { cookie: person.cookie })
    const { location } = answer.headers
    expect(new URL(String(location), 'https://chat.example').origin).toBe('https://chat.example')
    expect(String(location)).not.toMatch(/^\/[/\\]/)
  })
})

test('the url of an object is the URL of its page, and viewer.workspaces lists the workspaces of a person', async () => {
  const { thread, message } = await say(world.as(person.id), [world.ada.id, world.grace.id], 'Hello', 'Plans')
  const { data } = await person.ask(
    `query ($threadID: ID!, $groupID: ID!) {
      viewer { workspaces { workspaceID name avatarURL } }
      thread(id: $threadID) { url lastMessage { url } }
      group(id: $groupID) { url }
    }`,
    { threadID: thread.id, groupID: world.publicGroup.id },
  )
  const base = `${service.config.baseURL}/${workspaceID}`
  expect(data).toEqual({
    viewer: { workspaces: [{ workspaceID, name: 'Workshop', avatarURL: null }] },
    thread: {
      url: `${base}/threads/${thread.id}`,
      lastMessage: { url: `${base}/threads/${thread.id}/${message.id}` },
    },
    group: { url: `${base}/groups/${world.publicGroup.id}` },
  })
})

test('viewer.workspaces is null for an app, which has no session', async () => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/public/graphql',
    headers: { authorization: `Bearer ${world.app.token}` },
    payload: { query: '{ viewer { workspaces { name } } }' },
  })
  expect(answer.json().data).toEqual({ viewer: { workspaces: null } })
})
