import { describe, expect, test } from 'vitest'
import { postForm, sameOrigin } from '../support/browser-session.ts'
import {
  authorizePath,
  challengeOf,
  codeFrom,
  consentForm,
  decide,
  destination,
  errorOf,
  exchange,
  invalidGrant,
  makeClient,
  makeConsenter,
  openConsent,
  parametersFor,
  refresh,
  sendConsent,
  startWithApps,
  tokensFrom,
  userOfToken,
  verifier,
} from '../support/consent.ts'
import { redirectURI } from '../support/factories.ts'

// The numbers in the titles are sections of RFC 9700.
const { service, world, admin, robot, mobile } = await startWithApps()
const { operator } = world

describe('redirect manipulation (4.1)', () => {
  test.each([
    `${redirectURI}/`,
    `${redirectURI}/../evil`,
    `${redirectURI}?next=https://evil.example`,
    `${redirectURI}#fragment`,
    `${redirectURI}%2f`,
    redirectURI.toUpperCase(),
    redirectURI.replace('https:', 'http:'),
    redirectURI.replace('app.example.com', 'app.example.com.evil.example'),
    redirectURI.replace('app.example.com', 'evil.example\\@app.example.com'),
    redirectURI.replace('app.example.com', 'app.example.com:444'),
    redirectURI.replace('https://', 'https://evil@'),
    'javascript:alert(1)//app.example.com/callback',
    '//app.example.com/callback',
    '/callback',
    `${redirectURI} ${redirectURI}`,
  ])('to %s shows an error page', async (redirect_uri) => {
    const parameters = parametersFor(robot, { redirect_uri })
    const answer = await openConsent(service, parameters, admin)
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
    const form = { ...(await consentForm(service, admin, parametersFor(robot))), redirect_uri }
    const posted = await sendConsent(service, admin, form)
    expect([posted.statusCode, posted.headers.location]).toEqual([400, undefined])
  })

  test('cannot use the redirect URI of another app', async () => {
    const uri = 'https://other.example/callback'
    await makeClient(world, { redirectURIs: [uri] })
    const answer = await openConsent(service, parametersFor(robot, { redirect_uri: uri }), admin)
    expect(answer.statusCode).toBe(400)
  })
})

describe('token leakage by referrer (4.2)', () => {
  test('is prevented: pages send no referrer to other sites, load nothing, and have no links to other sites', async () => {
    const pages = [
      await openConsent(service, parametersFor(robot), admin),
      await openConsent(service, parametersFor(robot, { redirect_uri: 'https://evil.example' }), admin),
    ]
    for (const { headers, body } of pages) {
      expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' })
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(body).not.toMatch(/(href|src)="(https?:)?\/\//)
    }
  })

  test('is prevented: the redirect that contains the code is not cached, and its body is empty', async () => {
    const answer = await decide(service, admin, parametersFor(robot))
    expect([answer.statusCode, answer.headers['cache-control'], answer.body]).toEqual([303, 'no-store', ''])
  })
})

describe('mix-up (4.4)', () => {
  test('is prevented: each redirect to the app names the issuer, and the metadata announces this', async () => {
    const metadata = (await service.app.inject('/.well-known/oauth-authorization-server')).json()
    const answers = [
      await decide(service, admin, parametersFor(robot)),
      await decide(service, admin, parametersFor(robot), { decision: 'cancel' }),
      await openConsent(service, parametersFor(robot, { scope: 'x' }), admin),
    ]
    for (const answer of answers) expect(destination(answer).searchParams.get('iss')).toBe(metadata.issuer)
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true)
  })
})

describe('code injection (4.5)', () => {
  test.each([robot, mobile])('fails, because the code is bound to the verifier', async (app) => {
    const own = 'the-verifier-of-the-session-of-the-attacker-0123'
    const stolen = await codeFrom(service, admin, app)
    expect(errorOf(await exchange(service, app, stolen, { code_verifier: own }))).toEqual(invalidGrant)
    const injected = await codeFrom(service, admin, app, { code_challenge: challengeOf(own) })
    expect(errorOf(await exchange(service, app, injected))).toEqual(invalidGrant)
  })

  test('fails with the redirect URI of another request', async () => {
    const other = 'https://app.example.com/other'
    const app = await makeClient(world, { redirectURIs: [redirectURI, other] })
    const code = await codeFrom(service, admin, app, { redirect_uri: other })
    expect(errorOf(await exchange(service, app, code))).toEqual(invalidGrant)
    expect((await exchange(service, app, code, { redirect_uri: other })).statusCode).toBe(200)
  })
})

describe('CSRF (4.7)', () => {
  test('on the consent fails: only a page of the service can send the form', async () => {
    const form = await consentForm(service, admin, parametersFor(robot))
    const before = await operator.db.grant.count()
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `${new URL(service.config.baseURL).origin}.evil.example` },
    ]) {
      const all = { cookie: admin.cookie, ...headers }
      const answer = await postForm(service, '/oauth/authorize', form, all)
      expect([headers, answer.statusCode, answer.headers.location]).toEqual([headers, 403, undefined])
    }
    expect(await operator.db.grant.count()).toBe(before)
  })

  test('on the authorization grants nothing: GET and HEAD only show the page', async () => {
    const before = await operator.db.grant.count()
    const form = { ...(await consentForm(service, admin, parametersFor(robot))), decision: 'allow' }
    for (const method of ['GET', 'HEAD'] as const) {
      const headers = { cookie: admin.cookie, ...sameOrigin }
      const answer = await service.app.inject({ method, url: authorizePath(form), headers })
      expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined])
    }
    expect(await operator.db.grant.count()).toBe(before)
  })

  test('on the redirect can be detected by the app: the state returns unchanged', async () => {
    const url = destination(await decide(service, admin, parametersFor(robot, { state: 'é &=+%' })))
    expect(url.searchParams.getAll('state')).toEqual(['é &=+%'])
  })

  test('fails if another account signs in after the page is shown: the form names the first account', async () => {
    const other = await makeConsenter(service, world)
    const form = await consentForm(service, admin, parametersFor(robot))
    for (const decision of ['allow', 'cancel']) {
      const answer = await sendConsent(service, other, { ...form, decision })
      expect([answer.statusCode, answer.headers.location]).toEqual([403, undefined])
      expect(answer.body).toContain('You have signed in with another account after you opened this page.')
    }
    const { account: _account, ...withoutAccount } = form
    expect((await sendConsent(service, admin, withoutAccount)).statusCode).toBe(400)
  })

  test('by an invalid change of the form fails, because the form is checked like the first request', async () => {
    const form = await consentForm(service, admin, parametersFor(robot))
    for (const [more, error] of [
      [{ scope: 'everything' }, 'invalid_scope'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
    ] as const) {
      const url = destination(await sendConsent(service, admin, { ...form, ...more }))
      expect([url.searchParams.get('error'), url.searchParams.get('code')]).toEqual([error, null])
    }
  })
})

describe('PKCE downgrade (4.8)', () => {
  const none = { code_challenge: undefined, code_challenge_method: undefined }

  test('fails: a verifier without a challenge is refused', async () => {
    const code = await codeFrom(service, admin, robot, none)
    expect(errorOf(await exchange(service, robot, code))).toEqual(invalidGrant)
  })

  test('fails: a challenge without a verifier is refused', async () => {
    const code = await codeFrom(service, admin, robot)
    expect(errorOf(await exchange(service, robot, code, { code_verifier: '' }))).toEqual(invalidGrant)
  })

  test('fails: a public app must send a challenge, and plain is refused', async () => {
    const errorFor = async (more: Record<string, string | undefined>) =>
      destination(await openConsent(service, parametersFor(mobile, more), admin)).searchParams.get('error')
    expect(await errorFor(none)).toBe('invalid_request')
    expect(await errorFor({ code_challenge: verifier.slice(0, 43), code_challenge_method: 'plain' })).toBe(
      'invalid_request',
    )
    expect(await errorFor({ code_challenge_method: undefined })).toBe('invalid_request')
  })

  test('fails in the form of the consent page', async () => {
    const { code_challenge, code_challenge_method, ...form } = await consentForm(
      service,
      admin,
      parametersFor(mobile),
    )
    const url = destination(await sendConsent(service, admin, form))
    expect([url.searchParams.get('error'), url.searchParams.get('code')]).toEqual(['invalid_request', null])
  })
})

describe('open redirect (4.11)', () => {
  test('fails: without a session, an invalid authorization request does not redirect to the app', async () => {
    for (const more of [{ scope: 'x' }, { response_type: 'token' }, { code_challenge: 'x' }]) {
      const answer = await openConsent(service, parametersFor(robot, more))
      expect([more, answer.statusCode, answer.headers.location]).toEqual([more, 303, '/signin'])
      const form = { ...parametersFor(robot, more), account: 'acc_x', decision: 'cancel' }
      const posted = await postForm(service, '/oauth/authorize', form)
      expect([more, posted.statusCode, posted.headers.location]).toEqual([more, 403, undefined])
    }
  })
})

test('a redirect after the form is a 303, so that the browser does not repeat the form (4.12)', async () => {
  for (const decision of ['allow', 'cancel']) {
    expect((await decide(service, admin, parametersFor(robot), { decision })).statusCode).toBe(303)
  }
})

describe('replay of a refresh token (4.14)', () => {
  test('of a public app ends the grant, also for the attacker', async () => {
    const stolen = await tokensFrom(service, admin, mobile)
    const ofAttacker = (await refresh(service, mobile, stolen.refresh_token)).json()
    await operator.db.$executeRaw`UPDATE refresh_tokens SET replaced_at = replaced_at - interval '1 minute'`
    expect(errorOf(await refresh(service, mobile, stolen.refresh_token))).toEqual(invalidGrant)
    expect(await userOfToken(service, ofAttacker.access_token)).toBeUndefined()
    expect(errorOf(await refresh(service, mobile, ofAttacker.refresh_token))).toEqual(invalidGrant)
  })
})

test('the reuse of a code ends the grant (4.5, RFC 6749 4.1.2)', async () => {
  const code = await codeFrom(service, admin, mobile)
  const tokens = (await exchange(service, mobile, code)).json()
  expect(errorOf(await exchange(service, mobile, code, { code_verifier: 'x'.repeat(43) }))).toEqual(
    invalidGrant,
  )
  expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
})

describe('clickjacking (4.16)', () => {
  test('fails: no page can be framed, and forms lead only to the service and the scheme of the redirect URI', async () => {
    for (const [uri, formAction] of [
      [redirectURI, "form-action 'self' https:;"],
      ['http://[::1]:4000/callback', "form-action 'self' http:;"],
      ['com.example.app:/callback', "form-action 'self' com.example.app:;"],
    ] as const) {
      const app = await makeClient(world, { redirectURIs: [uri] })
      const { headers } = await openConsent(service, parametersFor(app, { redirect_uri: uri }), admin)
      expect(headers['x-frame-options']).toBe('DENY')
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy']).toContain(formAction)
    }
    const failure = await openConsent(service, parametersFor(robot, { client_id: 'x' }), admin)
    expect(failure.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })
})

test('a redirect URI with a private-use scheme gets the code in its query', async () => {
  for (const uri of ['com.example.app:/callback', 'com.example.app:callback?a=b%20c']) {
    const app = await makeClient(world, { redirectURIs: [uri], isPublic: true })
    const answer = await decide(service, admin, parametersFor(app, { redirect_uri: uri }))
    expect(String(answer.headers.location)).toContain(`${uri}${uri.includes('?') ? '&' : '?'}code=`)
    const code = destination(answer).searchParams.get('code') ?? ''
    expect((await exchange(service, app, code, { redirect_uri: uri })).statusCode).toBe(200)
  }
})
