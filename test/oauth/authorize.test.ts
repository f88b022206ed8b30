import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { updateApp } from '../../src/apps/change-app.ts'
import { installApp } from '../../src/apps/installations/install-app.ts'
import { uninstallApp } from '../../src/apps/installations/uninstall-app.ts'
import { defaultScopes, scopeDescriptions } from '../../src/scopes.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { cookieOf, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import {
  authorizePath,
  codeFrom,
  consentForm,
  decide,
  destination,
  exchange,
  hiddenFields,
  makeClient,
  makeConsenter,
  openConsent,
  parametersFor,
  sendConsent,
  tokensFrom,
} from '../support/consent.ts'
import { makeWorld, redirectURI } from '../support/factories.ts'
import { pngOf } from '../support/images.ts'
import { mutation } from '../support/mutations.ts'
import { startService } from '../support/service.ts'
import { linkPathFor } from '../support/sign-in-links.ts'
import { download, uploadAs } from '../support/uploads.ts'

const service = await startService({ TOKEN_RATE_PER_MINUTE: '100000' })
const world = await makeWorld(service)
const { workspaceID, operator } = world
const admin = await makeConsenter(service, world)
const member = await makeConsenter(service, world, 'member')
const robot = await makeClient(world, { scopes: ['groups:read'] })

const scopesIn = async (place = workspaceID, appID = robot.id) =>
  (await operator.db.installation.findFirst({ where: { workspaceID: place, appID, uninstalledAt: null } }))
    ?.scopes

describe('the consent page', () => {
  test('shows the app, its workspace, the account, each scope and the workspaces', async () => {
    const scope = 'groups:read threads.messages:write'
    const page = await openConsent(service, parametersFor(robot, { scope }), admin)
    expect(page.statusCode).toBe(200)
    for (const text of [
      '<bdi>Robot</bdi> requests access',
      '<bdi>Robot</bdi> is managed by the workspace <strong><bdi>Workshop</bdi></strong>',
      admin.email,
      scopeDescriptions['groups:read'],
      scopeDescriptions['threads.messages:write'],
      `<option value="${workspaceID}">Workshop</option>`,
      'Afterwards you return to app.example.com.',
      'act as a user of its own',
    ]) {
      expect(page.body).toContain(text)
    }
    expect(page.body).not.toContain(scopeDescriptions['threads:read'])
  })

  test('has another icon for each kind of permission', async () => {
    const scope = 'threads:read threads:write groups:read webhooks:read'
    const { body } = await openConsent(service, parametersFor(robot, { scope }), admin)
    const icons = [...body.matchAll(/<li><svg .*?<path d="([^"]+)"/g)].map(([, path]) => path)
    expect([icons.length, new Set(icons).size]).toEqual([4, 4])
  })

  test('shows the picture of the app, or the icon of all apps, whatever its name is', async () => {
    const painter = await makeClient(world, { name: 'GitHub' })
    const pictures = [painter, robot].map(async (client) => {
      const { body } = await openConsent(service, parametersFor(client), admin)
      return /<span class="picture" aria-hidden="true"><svg .*?<\/span>/.exec(body)?.[0]
    })
    const [one, other] = await Promise.all(pictures)
    expect(one).toBeDefined()
    expect(one).toBe(other)
    const bytes = pngOf(64, 64)
    const avatarFileID = await uploadAs(service, admin.ask, bytes)
    await admin.ask(mutation('updateApp', 'app { id }'), { input: { appID: painter.id, avatarFileID } })
    const { body } = await openConsent(service, parametersFor(painter), admin)
    const [, url = ''] = /<img class="picture" src="([^"]+)" alt="">/.exec(body) ?? []
    expect((await download(service, { url: url.replaceAll('&amp;', '&') })).rawPayload).toEqual(bytes)
  })

  test('says that the app will act as the person, if the app requests this', async () => {
    const page = await openConsent(service, parametersFor(robot, { act_as: 'user' }), member)
    expect(page.body).toContain('<strong><bdi>Robot</bdi> will act as you</strong>')
    expect(page.body).toContain(`<option value="${workspaceID}">`)
    expect(page.body).not.toContain('be installed')
    const app = await makeClient(world)
    await uninstallApp(operator, { workspaceID, appID: app.id })
    const consent = await openConsent(service, parametersFor(app, { act_as: 'user' }), admin)
    expect(consent.body).toContain('It will also be installed in the workspace.')
  })

  test('lists the default scopes if the request names no scopes', async () => {
    for (const scope of [undefined, '']) {
      const { body } = await openConsent(service, parametersFor(robot, { scope }), admin)
      const listed = Object.entries(scopeDescriptions).filter(([, text]) =>
        body.includes(`<span>${text}</span></li>`),
      )
      expect(listed.map(([name]) => name).sort()).toEqual(defaultScopes.toSorted())
    }
  })

  test('accepts scopes that are separated by commas or spaces, and lists each scope once', async () => {
    const scope = 'groups:read,workspaces:read groups:read, '
    const { body } = await openConsent(service, parametersFor(robot, { scope }), admin)
    expect(body.match(/<li>/g)).toHaveLength(2)
  })

  test('offers a listed app in all workspaces of an admin, and an unlisted app only in its own workspace', async () => {
    const other = await makeWorld(service)
    await createPerson(other.operator, { workspaceID: other.workspaceID, name: 'Owner', email: 'owner@b.c' })
    await createPerson(operator, { workspaceID, name: 'Owner', email: 'owner@b.c' })
    const cookie = await signIn(service, operator, 'owner@b.c')
    await operator.db.$executeRaw`
      UPDATE group_members m SET role = 'admin' FROM users u
      WHERE u.workspace_id = m.workspace_id AND u.id = m.user_id AND u.email = 'owner@b.c'`
    const app = await makeClient(world)
    const offered = async () => {
      const { body } = await openConsent(service, parametersFor(app), { cookie })
      return [...body.matchAll(/<option value="(wks_\w+)">/g)].map(([, id]) => id)
    }
    expect(await offered()).toEqual([workspaceID])
    await updateApp(operator, { appID: app.id, isListed: true })
    expect((await offered()).sort()).toEqual([workspaceID, other.workspaceID].sort())
    const tokens = await tokensFrom(service, { cookie, workspaceID: other.workspaceID }, app)
    expect(tokens.workspace_id).toBe(other.workspaceID)
    expect(await scopesIn(other.workspaceID, app.id)).toEqual(defaultScopes)
  })

  test('offers only Cancel to a person who cannot install the app', async () => {
    const { body } = await openConsent(service, parametersFor(robot), member)
    expect(body).toContain('Only an admin can install an app.')
    expect(body).not.toContain('value="allow"')
    expect(body).toContain('value="cancel"')
    const elsewhere = await makeWorld(service)
    const stranger = await makeConsenter(service, elsewhere)
    const page = await openConsent(service, parametersFor(robot, { act_as: 'user' }), stranger)
    expect(page.body).toContain('Robot is not installed in a workspace of yours.')
    expect(page.body).not.toContain('value="allow"')
  })

  test('shows HTML tags and Japanese letters in names as text', async () => {
    const name = '</title><b>日本 & "x"</b>'
    const app = await makeClient(world, { name })
    const { body } = await openConsent(service, parametersFor(app), admin)
    const escaped = '&lt;/title&gt;&lt;b&gt;日本 &amp; &quot;x&quot;&lt;/b&gt;'
    expect(body).toContain(`<title>${escaped}</title>`)
    expect(body).toContain(`<h1><bdi>${escaped}</bdi> requests access</h1>`)
    expect(body).not.toContain('<b>')
  })

  test('shows the description of the app as text, and nothing if it is blank', async () => {
    const app = await makeClient(world, { description: ' Reads <b>builds</b>\nand reports. ' })
    const { body } = await openConsent(service, parametersFor(app), admin)
    expect(body).toContain(
      '<blockquote dir="auto">Reads &lt;b&gt;builds&lt;/b&gt;\nand reports.</blockquote>',
    )
    for (const description of ['', ' \n', null]) {
      await updateApp(operator, { appID: app.id, description })
      expect((await openConsent(service, parametersFor(app), admin)).body).not.toContain('<blockquote')
    }
  })

  test('keeps every character of the state', async () => {
    const state = `"><i>é日本 &amp; %25 + ' ${'x'.repeat(1900)}`
    const parameters = parametersFor(robot, { state })
    const { body } = await openConsent(service, parameters, admin)
    expect(body).not.toContain('<i>')
    expect(hiddenFields(body)).toMatchObject(parameters)
    const url = destination(await decide(service, admin, parameters))
    expect(url.searchParams.get('state')).toBe(state)
  })

  test('ignores unknown parameters', async () => {
    const parameters = {
      ...parametersFor(robot),
      foo: 'bar',
      nonce: 'n',
      account: 'acc_x',
      workspace: 'wks_x',
    }
    const { statusCode, body } = await openConsent(service, parameters, admin)
    expect(statusCode).toBe(200)
    expect(Object.keys(hiddenFields(body)).sort()).toEqual(
      [...Object.keys(parametersFor(robot)), 'account'].sort(),
    )
  })

  test('has no body for HEAD, and refuses methods other than GET, HEAD and POST', async () => {
    const url = authorizePath(parametersFor(robot))
    const headers = { cookie: admin.cookie }
    const head = await service.app.inject({ method: 'HEAD', url, headers })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    const put = await service.app.inject({ method: 'PUT', url, headers })
    expect([put.statusCode, put.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})

/** Returns the cookie that remembers the consent page, as a browser sends it back. */
function continuing({ headers }: Awaited<ReturnType<typeof openConsent>>): string {
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

describe('a person who is not signed in', () => {
  test('signs in with a link, and returns to the consent page', async () => {
    const parameters = parametersFor(robot)
    const answer = await openConsent(service, parameters)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/signin'])
    expect(answer.cookies).toMatchObject([
      { name: 'skein-continue', httpOnly: true, sameSite: 'Lax', path: '/signin', maxAge: 3600 },
    ])
    const link = await linkPathFor(operator, admin.email)
    const signedIn = await postForm(service, link, {}, { cookie: continuing(answer), ...sameOrigin })
    expect([signedIn.statusCode, signedIn.headers.location]).toEqual([303, authorizePath(parameters)])
    expect(signedIn.cookies).toMatchObject([
      { name: 'skein-session' },
      { name: 'skein-browser' },
      { name: 'skein-continue', value: '' },
    ])
    const page = await service.app.inject({
      url: String(signedIn.headers.location),
      headers: { cookie: cookieOf(signedIn) },
    })
    expect(page.body).toContain('<bdi>Robot</bdi> requests access')
  })

  test('returns to the consent page if a session was started in another tab', async () => {
    const answer = await openConsent(service, parametersFor(robot))
    const cookie = `${continuing(answer)}; ${admin.cookie}`
    const page = await service.app.inject({ url: '/signin', headers: { cookie } })
    expect(page.headers.location).toBe(authorizePath(parametersFor(robot)))
  })

  test('goes to the start page if the remembered path is not a page of the service', async () => {
    const authorize = '/oauth/authorize'
    const elsewhere = ['https://evil.example/', '//evil.example', '/signin', authorize, '']
    const unusable = [`${authorize}?\r\nx: y`, `${authorize}?\n`, `${authorize}?\u0100`]
    for (const path of [...elsewhere, ...unusable]) {
      const value = deflateRawSync(path).toString('base64url')
      const cookie = `skein-continue=${value}; ${admin.cookie}`
      const page = await service.app.inject({ url: '/signin', headers: { cookie } })
      expect([path, page.headers.location]).toEqual([path, '/'])
    }
  })

  test('returns to the consent page even with a state of 2,000 random characters', async () => {
    const state = randomBytes(1500).toString('base64')
    const first = await openConsent(service, parametersFor(robot, { state }))
    const [{ value } = { value: '' }] = first.cookies
    const headers = { cookie: `skein-continue=${value}; ${admin.cookie}` }
    const page = await service.app.inject({ url: '/signin', headers })
    expect(new URL(String(page.headers.location), 'http://x').searchParams.get('state')).toBe(state)
  })

  test('goes to the sign-in page, but no cookie remembers the request if it is too long for a cookie', async () => {
    const more = { state: 'x', scope: randomBytes(4000).toString('base64') }
    const answer = await openConsent(service, parametersFor(robot, more))
    expect(answer.headers.location).toBe('/signin')
    expect(answer.cookies).toMatchObject([{ name: 'skein-continue', value: '', maxAge: 0 }])
  })

  test('cannot send the form of the consent page', async () => {
    const form = await consentForm(service, admin, parametersFor(robot))
    for (const decision of ['allow', 'cancel']) {
      const answer = await postForm(service, '/oauth/authorize', { ...form, decision })
      expect([answer.statusCode, answer.headers.location]).toEqual([403, undefined])
      expect(answer.body).toContain('Your session has ended.')
    }
  })
})

describe('Allow', () => {
  test('installs the app with the granted scopes, and returns a code, the state and the issuer', async () => {
    const app = await makeClient(world, { isListed: true })
    const other = await makeWorld(service)
    const owner = await makeConsenter(service, other)
    const parameters = parametersFor(app, { scope: 'groups:read,threads:read' })
    const url = destination(await decide(service, owner, parameters))
    expect(url.href).toContain(`${redirectURI}?code=`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'the state',
      iss: service.config.baseURL,
    })
    expect(await scopesIn(other.workspaceID, app.id)).toEqual(['groups:read', 'threads:read'])
  })

  test('adds scopes to an installation, and removes none', async () => {
    const app = await makeClient(world, { scopes: ['groups:read'] })
    await codeFrom(service, admin, app, { scope: 'threads:read' })
    expect((await scopesIn(workspaceID, app.id))?.toSorted()).toEqual(['groups:read', 'threads:read'])
  })

  test('gives the app user no scopes if the app acts as the person', async () => {
    const app = await makeClient(world, { scopes: ['groups:read'], isListed: true })
    await codeFrom(service, admin, app, { scope: 'workspaces:write', act_as: 'user' })
    expect(await scopesIn(workspaceID, app.id)).toEqual(['groups:read'])
    const owner = await makeConsenter(service, await makeWorld(service))
    await codeFrom(service, owner, app, { scope: 'workspaces:write', act_as: 'user' })
    expect(await scopesIn(owner.workspaceID, app.id)).toEqual([])
  })

  test('returns no state if the request has no state', async () => {
    for (const state of [undefined, '']) {
      const url = destination(await decide(service, admin, parametersFor(robot, { state })))
      expect([...url.searchParams.keys()]).toEqual(['code', 'iss'])
    }
  })

  test('keeps the query of the redirect URI exactly', async () => {
    const uris = ['https://app.example.com/cb?a=b%20c&flag&e=%C3%A9+x', 'https://app.example.com/cb?']
    const app = await makeClient(world, { redirectURIs: uris })
    for (const uri of uris) {
      const answer = await decide(service, admin, parametersFor(app, { redirect_uri: uri }))
      const separator = uri.endsWith('?') ? '' : '&'
      expect(String(answer.headers.location)).toMatch(`${uri}${separator}code=`)
      const code = destination(answer).searchParams.get('code') ?? ''
      expect((await exchange(service, app, code, { redirect_uri: uri })).statusCode).toBe(200)
    }
  })

  test('is refused in a workspace that the person does not administer', async () => {
    const other = await makeWorld(service)
    const app = await makeClient(world, { isListed: true })
    const before = await operator.db.grant.count()
    for (const workspace of [other.workspaceID, 'wks_x', robot.id]) {
      const answer = await decide(service, admin, parametersFor(app), { workspace })
      expect([workspace, answer.statusCode, answer.headers.location]).toEqual([workspace, 403, undefined])
    }
    const answer = await decide(service, member, parametersFor(app))
    expect([answer.statusCode, answer.headers.location]).toEqual([403, undefined])
    expect(await operator.db.grant.count()).toBe(before)
    expect(await scopesIn(other.workspaceID, app.id)).toBeUndefined()
  })

  test('is refused for an unlisted app in a workspace other than its own', async () => {
    const other = await makeWorld(service)
    const owner = await makeConsenter(service, other)
    for (const act_as of ['app', 'user']) {
      const answer = await decide(service, owner, parametersFor(robot, { act_as }))
      expect([answer.statusCode, answer.headers.location]).toEqual([403, undefined])
    }
    expect(await scopesIn(other.workspaceID)).toBeUndefined()
  })

  test('in a hundred concurrent requests creates one app user', async () => {
    const app = await makeClient(world, { isListed: true })
    const owner = await makeConsenter(service, await makeWorld(service))
    const form = await consentForm(service, owner, parametersFor(app))
    const answers = await Promise.all(Array.from({ length: 100 }, () => sendConsent(service, owner, form)))
    const codes = answers.map((answer) => destination(answer).searchParams.get('code'))
    expect(new Set(codes).size).toBe(100)
    const where = { workspaceID: owner.workspaceID, appID: app.id }
    expect(await operator.db.installation.count({ where })).toBe(1)
    expect(await operator.db.user.count({ where: { workspaceID: owner.workspaceID, name: 'Robot' } })).toBe(2)
  })
})

describe('Cancel', () => {
  test('returns access_denied, the state and the issuer, and grants nothing', async () => {
    const app = await makeClient(world, { isListed: true })
    const owner = await makeConsenter(service, await makeWorld(service))
    for (const decision of ['cancel', 'Allow']) {
      const url = destination(await decide(service, owner, parametersFor(app), { decision }))
      expect(Object.fromEntries(url.searchParams)).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: 'the state',
        iss: service.config.baseURL,
      })
    }
    expect(await scopesIn(owner.workspaceID, app.id)).toBeUndefined()
    expect(await operator.db.grant.count({ where: { appID: app.id } })).toBe(0)
  })
})

describe('Use another account', () => {
  test('ends the session, and returns to the consent page after the next sign-in', async () => {
    const person = await makeConsenter(service, world)
    const answer = await decide(service, person, parametersFor(robot), { decision: 'switch' })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/signin'])
    expect(answer.cookies).toMatchObject([
      { name: 'skein-session', value: '', maxAge: 0 },
      { name: 'skein-continue', value: expect.stringMatching(/./) },
    ])
    const signedOut = await service.app.inject({ url: '/account', headers: { cookie: person.cookie } })
    expect(signedOut.headers.location).toBe('/signin')
    const cookie = `skein-continue=${answer.cookies[1]?.value}; ${admin.cookie}`
    const page = await service.app.inject({ url: '/signin', headers: { cookie } })
    expect(page.headers.location).toBe(authorizePath(parametersFor(robot)))
  })
})

describe('a consent', () => {
  test('for an app that acts as the person needs a sign-in of at most 15 minutes ago', async () => {
    const person = await makeConsenter(service, world)
    await world.operator.db.$executeRaw`
      UPDATE sessions SET created_at = created_at - interval '16 minutes' WHERE account_id = (
        SELECT account_id FROM users WHERE id = ${person.id})`
    const asUser = { ...parametersFor(robot), act_as: 'user' }
    const answer = await decide(service, person, asUser)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/signin?prompt=login'])
    expect(answer.cookies).toMatchObject([{ name: 'skein-continue', value: expect.stringMatching(/./) }])
    const asApp = await decide(service, person, parametersFor(robot))
    expect(asApp.headers.location).toContain('code=')
  })
})

describe('a bad request', () => {
  const long = 'x'.repeat(2001)
  test.each<[string, Record<string, string | undefined>, string]>([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['an unknown scope', { scope: 'groups:read admin' }, 'invalid_scope'],
    ['a scope that is a property of every JavaScript object', { scope: 'constructor' }, 'invalid_scope'],
    ['only separators as scope', { scope: ' , ' }, 'invalid_scope'],
    ['an unknown act_as', { act_as: 'operator' }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method without a challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'x'.repeat(42) }, 'invalid_request'],
    ['a challenge with other characters', { code_challenge: '='.repeat(43) }, 'invalid_request'],
    ['a challenge with a line break', { code_challenge: `${'x'.repeat(43)}\n` }, 'invalid_request'],
    ['a long state', { state: long }, 'invalid_request'],
    ['a state with a line break', { state: 'a\nb' }, 'invalid_request'],
  ])('with %s returns to the app with an error', async (_what, more, error) => {
    const parameters = parametersFor(robot, more)
    const answer = await openConsent(service, parameters, admin)
    const url = destination(answer)
    expect(`${url.origin}${url.pathname}`).toBe(redirectURI)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      state: parameters.state,
      iss: service.config.baseURL,
    })
    const form = await consentForm(service, admin, parametersFor(robot))
    const kept = { account: form.account ?? '', workspace: workspaceID, decision: 'allow' }
    const posted = await sendConsent(service, admin, { ...parameters, ...kept })
    expect(destination(posted).searchParams.get('error')).toBe(error)
  })

  test.each<[string, Record<string, string | undefined>]>([
    ['no client_id', { client_id: undefined }],
    ['an unknown app', { client_id: `app_${'0'.repeat(27)}` }],
    ['an ID that is not of an app', { client_id: workspaceID }],
    ['an ID with NUL', { client_id: 'app_\0' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['an unknown redirect_uri', { redirect_uri: 'https://evil.example/callback' }],
  ])('with %s gets an error page, and never a redirect', async (_what, more) => {
    for (const { cookie } of [admin, { cookie: '' }]) {
      const answer = await openConsent(service, parametersFor(robot, more), { cookie })
      expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
      expect(answer.headers['content-type']).toMatch(/^text\/html/)
    }
    const form = { ...parametersFor(robot, more), workspace: workspaceID, decision: 'allow' }
    const posted = await sendConsent(service, admin, form)
    expect([posted.statusCode, posted.headers.location]).toEqual([400, undefined])
  })

  test('with a repeated parameter other than client_id and redirect_uri returns to the app with an error', async () => {
    for (const name of ['state', 'scope', 'code_challenge', 'act_as']) {
      const url = `${authorizePath(parametersFor(robot))}&${name}=x&${name}=y`
      const answer = await service.app.inject({ url, headers: { cookie: admin.cookie } })
      const location = new URL(String(answer.headers.location))
      expect(location.searchParams.get('error')).toBe('invalid_request')
      expect(location.searchParams.get('error_description')).toContain(name)
    }
  })

  test('with a repeated client_id or redirect_uri gets an error page', async () => {
    for (const name of ['client_id', 'redirect_uri']) {
      const url = `${authorizePath(parametersFor(robot))}&${name}=x&${name}=y`
      const answer = await service.app.inject({ url, headers: { cookie: admin.cookie } })
      expect([name, answer.statusCode, answer.headers.location]).toEqual([name, 400, undefined])
    }
  })

  test('for a deleted app gets an error page', async () => {
    const app = await makeClient(world)
    await operator.db.app.updateMany({ where: { id: app.id }, data: { deletedAt: new Date() } })
    const answer = await openConsent(service, parametersFor(app), admin)
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
  })
})

test('a member can let an installed app act as the member, but cannot install an app', async () => {
  const app = await makeClient(world)
  const tokens = await tokensFrom(service, member, app, { act_as: 'user' })
  expect(tokens.user_id).toBe(member.id)
  await operator.db.installation.updateMany({
    where: { workspaceID, appID: app.id },
    data: { uninstalledAt: new Date() },
  })
  const answer = await decide(service, member, parametersFor(app, { act_as: 'user' }))
  expect([answer.statusCode, answer.headers.location]).toEqual([403, undefined])
  await installApp(operator, { workspaceID, appID: app.id })
  expect((await tokensFrom(service, member, app, { act_as: 'user' })).user_id).toBe(member.id)
})
