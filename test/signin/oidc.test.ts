import { afterEach, describe, expect, test } from 'vitest'
import { createApp } from '../../src/apps/create-app.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { graphqlAs, signIn } from '../support/browser-session.ts'
import { makeWorld, redirectURI } from '../support/factories.ts'
import { client, startIdentityProvider, visitProvider } from '../support/identity-provider.ts'
import { type Service, startService } from '../support/service.ts'

const baseURL = 'http://localhost:3000'
const provider = await startIdentityProvider(`${baseURL}/signin/oidc/callback`)
const settings = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_LABEL: 'Example',
  SIGNIN_ATTEMPTS_PER_MINUTE: '0',
}
const service = await startService(settings)
const world = await makeWorld(service)
const { db } = world.operator

afterEach(() => {
  provider.forgery = undefined
  provider.failing = {}
  provider.closesKeptConnections = false
})

let number = 0
/** Returns a new person of the world's workspace who is also known to the provider. */
async function newPerson(name = 'oidc') {
  number += 1
  const email = `${name}${number}@example.com`
  const { id } = await createPerson(world.operator, { workspaceID: world.workspaceID, name: 'Person', email })
  return { id, email, claims: { sub: `subject-${number}`, email, email_verified: true } }
}

/** Begins a sign-in, and returns the URL at the provider and the cookie of the browser. */
async function begin({ app }: Service = service, cookie = '') {
  const answer = await app.inject({ url: '/signin/oidc', headers: { cookie } })
  expect(answer.statusCode).toBe(303)
  const [{ name, value } = { name: '', value: '' }] = answer.cookies
  return { url: String(answer.headers.location), cookie: `${name}=${value}` }
}

const atProvider = (url: string) => visitProvider(url, `${baseURL}/signin/oidc/callback`)
const pathOf = (url: string) => url.slice(baseURL.length)
const finish = (url: string, cookie: string, { app } = service) =>
  app.inject({ url: pathOf(url), headers: { cookie } })

/** Signs in at the provider with the claims, and returns the response of the callback. */
async function signInAs(claims: typeof provider.person, of: Service = service) {
  provider.person = claims
  const { url, cookie } = await begin(of)
  return finish(await atProvider(url), cookie, of)
}

/** Returns the ID of the person who is signed in by a response. */
async function personOf(answer: Awaited<ReturnType<typeof finish>>) {
  const session = answer.cookies.find(({ name }) => name === 'skein-session')
  const cookie = `skein-session=${session?.value}`
  const { data } = await graphqlAs(service, { cookie, workspaceID: world.workspaceID }, '{ me { id } }')
  return data?.me?.id
}

describe('the sign-in with OpenID Connect', () => {
  test('is offered on the sign-in page only if it is configured', async () => {
    const page = await service.app.inject('/signin')
    expect(page.body).toContain('<a class="button plain" href="/signin/oidc">Sign in with Example</a>')
    const without = await startService()
    expect((await without.app.inject('/signin')).body).not.toContain('/signin/oidc')
    expect((await without.app.inject('/signin/oidc')).statusCode).toBe(404)
  })

  test('signs in the person with the address, with a code, PKCE, state and nonce', async () => {
    const { id, claims } = await newPerson()
    const { url } = await begin()
    const query = Object.fromEntries(new URL(url).searchParams)
    expect(query).toMatchObject({
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
    })
    const answer = await signInAs(claims)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
    expect(answer.cookies).toMatchObject([
      { name: 'skein-oidc', value: '' },
      { name: 'skein-session', httpOnly: true, sameSite: 'Lax' },
      { name: 'skein-browser', httpOnly: true, sameSite: 'Lax' },
    ])
    expect(await personOf(answer)).toBe(id)
  })

  test('keeps the account if the provider changes the address', async () => {
    const { id, claims } = await newPerson()
    await signInAs(claims)
    const changed = { ...claims, email: 'changed@example.com' }
    expect(await personOf(await signInAs(changed))).toBe(id)
    expect(await db.account.count({ where: { email: 'changed@example.com' } })).toBe(0)
  })

  test('signs in to the account that a link created', async () => {
    const { id, email, claims } = await newPerson()
    await signIn(service, world.operator, email)
    expect(await personOf(await signInAs(claims))).toBe(id)
    expect(await db.account.count({ where: { email } })).toBe(1)
  })

  test('creates one account for concurrent first sign-ins', async () => {
    const { claims } = await newPerson()
    provider.person = claims
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin()))
    const urls = await Promise.all(begun.map(({ url }) => atProvider(url)))
    const answers = await Promise.all(urls.map((url, index) => finish(url, begun[index]?.cookie ?? '')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 303))
    expect(await db.account.count({ where: { email: claims.email } })).toBe(1)
    expect(await db.oIDCSubject.count({ where: { subject: claims.sub } })).toBe(1)
  })

  test.each<[string, { sub?: string; aud?: string[]; azp?: string }]>([
    ['', {}],
    [' with the longest subject', { sub: `${'~'.repeat(254)} ` }],
    [' with this client as authorized party', { azp: client.id }],
    [
      ' with several audiences and this client as authorized party',
      { aud: [client.id, 'x'], azp: client.id },
    ],
  ])('accepts the claims of a signed ID token%s', async (_what, claims) => {
    const { id, email, claims: own } = await newPerson()
    provider.forgery = { claims: { email, email_verified: true, ...claims } }
    expect(await personOf(await signInAs(own))).toBe(id)
    expect(await db.oIDCSubject.count({ where: { subject: claims.sub ?? own.sub } })).toBe(1)
  })

  test('works with a provider that closes kept connections', async () => {
    const { id, claims } = await newPerson()
    provider.closesKeptConnections = true
    expect(await personOf(await signInAs(claims))).toBe(id)
  })

  test('returns to the authorization page that a person opened first', async () => {
    const { operator, workspaceID } = world
    const { app } = await createApp(operator, { workspaceID, name: 'Asking', redirectURIs: [redirectURI] })
    const query = new URLSearchParams({ response_type: 'code', client_id: app.id, redirect_uri: redirectURI })
    const asked = await service.app.inject(`/oauth/authorize?${query}`)
    const kept = asked.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const { claims } = await newPerson()
    provider.person = claims
    const { url, cookie } = await begin(service, kept)
    const answer = await finish(await atProvider(url), `${kept}; ${cookie}`)
    expect(answer.headers.location).toBe(`/oauth/authorize?${query}`)
  })
})

describe('the sign-in with OpenID Connect refuses', () => {
  const expectRefused = async (answer: Awaited<ReturnType<typeof finish>>, text: string) => {
    expect([answer.statusCode, answer.cookies.map(({ name }) => name)]).not.toContain('skein-session')
    expect(answer.statusCode).toBe(403)
    expect(answer.body).toContain(text)
  }

  test.each([
    { email_verified: false },
    { email_verified: undefined },
    { email: undefined },
    { email: 'a\0@example.com' },
    { email: '' },
    { email: 7 as unknown as string },
    { email: `${'a'.repeat(250)}@example.com` },
    { email_verified: 'true' as unknown as boolean },
  ])('claims with %j, and creates no account', async (change) => {
    const { claims } = await newPerson()
    await expectRefused(await signInAs({ ...claims, ...change }), 'has not verified your email address')
    expect(await db.account.count({ where: { email: claims.email } })).toBe(0)
  })

  test('an address that the service would have to repair, such as one with a byte order mark', async () => {
    const { email } = await newPerson()
    const text = 'has not verified your email address'
    for (const claimed of [`\ufeff${email}`, `\ud800${email}`]) {
      await expectRefused(await signInAs({ sub: 'repaired', email: claimed, email_verified: true }), text)
    }
    expect(await db.account.count({ where: { email } })).toBe(0)
  })

  const notValid = 'The sign-in with Example was cancelled, or is not valid'

  test.each<[string, Record<string, unknown>, string]>([
    ['an empty subject', { sub: '' }, 'sub must have 1 to 255 printable ASCII characters'],
    ['a blank subject', { sub: ' ' }, 'sub must have'],
    ['NUL in the subject', { sub: 'a\0b' }, 'sub must have'],
    ['a line break in the subject', { sub: 'a\n' }, 'sub must have'],
    ['a subject outside ASCII', { sub: 'é' }, 'sub must have'],
    ['a subject of 256 characters', { sub: 'a'.repeat(256) }, 'sub must have'],
    ['a number as subject', { sub: 7 }, 'claim type'],
    ['no subject', { sub: undefined }, 'claim missing'],
    ['another client as authorized party', { azp: 'another-client' }, 'azp must be the client ID'],
    ['an authorized party that is not a string', { azp: null }, 'azp must be the client ID'],
    ['another audience', { aud: 'another-client' }, '(audience)'],
    ['a second audience and no authorized party', { aud: [client.id, 'another-client'] }, '(audience)'],
    ['another issuer', { iss: 'https://other.example' }, '(issuer)'],
    ['another nonce', { nonce: 'another' }, 'nonce'],
    ['an expiry in the past', { exp: 1 }, '(expiration time)'],
  ])('an ID token with %s, creates no account, and logs the reason', async (_what, claims, reason) => {
    const { email, claims: own } = await newPerson()
    provider.forgery = { claims: { email, email_verified: true, ...claims } }
    service.log.length = 0
    await expectRefused(await signInAs(own), notValid)
    expect(service.log.join('')).toContain(reason)
    expect(await db.account.count({ where: { email } })).toBe(0)
  })

  test.each([
    'other key',
    'HS256',
    'none',
  ] as const)('an ID token that is signed with: %s', async (signature) => {
    const { email, claims } = await newPerson()
    provider.forgery = { claims: { email, email_verified: true }, signature }
    await expectRefused(await signInAs(claims), notValid)
    expect(await db.account.count({ where: { email } })).toBe(0)
  })

  test('an address outside the allowed domains', async () => {
    const limited = await startService({ ...settings, OIDC_ALLOWED_DOMAINS: 'Example.org, sub.example.com' })
    for (const email of ['a@example.com', 'a@x.example.org', 'a@example.org.evil.example']) {
      const claims = { sub: email, email, email_verified: true }
      await expectRefused(await signInAs(claims, limited), 'cannot sign in here')
    }
    const allowed = { sub: 'allowed', email: 'a@EXAMPLE.org', email_verified: true }
    expect((await signInAs(allowed, limited)).statusCode).toBe(303)
  })

  test('to sign in to the account of an address that is only similar', async () => {
    const { id, email } = await newPerson('issue')
    const claims = { sub: 'similar', email: `\u0130${email.slice(1)}`, email_verified: true }
    expect(await personOf(await signInAs(claims))).not.toBe(id)
  })

  test('an address with a Kelvin sign, whose lower case is the address of somebody else', async () => {
    const { email } = await newPerson('kelvin')
    const claims = { sub: 'kelvin', email: `\u212a${email.slice(1)}`, email_verified: true }
    await expectRefused(await signInAs(claims), 'a character that is not allowed')
  })

  test('a deactivated account', async () => {
    const { email, claims } = await newPerson()
    await signInAs(claims)
    const { id } = await db.account.update({ where: { email }, data: { deactivatedAt: new Date() } })
    await expectRefused(await signInAs(claims), 'This account is deactivated')
    const withOtherAddress = { ...claims, email: 'other-address@example.com' }
    await expectRefused(await signInAs(withOtherAddress), 'This account is deactivated')
    const requests = service.log.slice(-4).filter((line) => line.includes('/callback'))
    expect(requests.map((line) => JSON.parse(line).accountID)).toEqual([id, id])
    const entries = await db.auditEntry.findMany({ where: { objectID: id, outcome: 'refused' } })
    expect(entries).toMatchObject([{ action: 'signIn', means: 'identityProvider' }])
  })

  test('a browser in which it did not begin, and a callback that is used again', async () => {
    const { claims } = await newPerson()
    provider.person = claims
    const [victim, attacker] = [await begin(), await begin()]
    const callback = await atProvider(attacker.url)
    await expectRefused(await finish(callback, ''), 'began in another browser')
    await expectRefused(await finish(callback, victim.cookie), 'was cancelled, or is not valid')
    expect((await finish(callback, attacker.cookie)).statusCode).toBe(303)
    await expectRefused(await finish(callback, attacker.cookie), 'was cancelled, or is not valid')
  })

  test('a changed state, code or issuer, and an error of the provider', async () => {
    const { claims } = await newPerson()
    provider.person = claims
    for (const [name, value] of [
      ['state', 'x'.repeat(43)],
      ['code', 'x'.repeat(43)],
      ['iss', 'https://other.example'],
      ['error', 'access_denied'],
    ] as const) {
      const { url, cookie } = await begin()
      const callback = new URL(await atProvider(url))
      callback.searchParams.set(name, value)
      await expectRefused(await finish(callback.href, cookie), 'was cancelled, or is not valid')
    }
    expect(service.log.join('')).not.toContain(client.secret)
  })
})

test.each(['/token', '/jwks', '/me'])('a provider that fails at %s is not a refusal', async (path) => {
  const provider = await startIdentityProvider(`${baseURL}/signin/oidc/callback`)
  const own = await startService({ ...settings, OIDC_ISSUER: provider.issuer })
  provider.person = { sub: 'x', email: 'x@example.com', email_verified: true }
  const { url, cookie } = await begin(own)
  const callback = await atProvider(url)
  for (const [status, expected] of [
    [502, 503],
    [404, 403],
  ] as const) {
    provider.failing = { [path]: status }
    const again = await begin(own)
    const answer = await finish(await atProvider(again.url), again.cookie, own)
    expect({ status, answer: answer.statusCode }).toEqual({ status, answer: expected })
  }
  provider.failing = {}
  provider.closesKeptConnections = false
  expect((await finish(callback, cookie, own)).statusCode).toBe(303)
})

test('the sign-in with OpenID Connect returns 503 if the provider cannot be reached', async () => {
  const other = await startIdentityProvider(`${baseURL}/signin/oidc/callback`)
  const early = await startService({ ...settings, OIDC_ISSUER: other.issuer })
  const { url, cookie } = await begin(early)
  other.person = { sub: 'x', email: 'x@example.com', email_verified: true }
  const callback = await atProvider(url)
  await other.stop()
  const late = await startService({ ...settings, OIDC_ISSUER: other.issuer })
  for (const answer of [await finish(callback, cookie, early), await late.app.inject('/signin/oidc')]) {
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(answer.body).toContain('Example cannot be reached.')
  }
})
