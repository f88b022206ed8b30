import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deleteApp, rotateClientSecret } from '../../src/apps/change-app.ts'
import { installApp } from '../../src/apps/installations/install-app.ts'
import { uninstallApp } from '../../src/apps/installations/uninstall-app.ts'
import { revokeAccessTokens } from '../../src/apps/tokens/revoke-access-tokens.ts'
import { makeWorld, requestToken, tokenForm, type World } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const limited = await startService({ TOKEN_RATE_PER_MINUTE: '3' })

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
}

function without(form: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)))
}

async function meOf(token: string): Promise<string | undefined> {
  const answer = await service.graphql(token, '{ me { id } }')
  return answer.data?.me.id
}

describe('a token request', () => {
  test('returns a token of the app user in the workspace', async () => {
    const { app } = await makeWorld(service)
    const answer = await requestToken(service, app.form)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      user_id: app.userID,
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 3600,
    })
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(await meOf(answer.json().access_token)).toBe(app.userID)
  })

  test('returns a new token each time, and the earlier tokens stay valid', async () => {
    const { app } = await makeWorld(service)
    const again = (await requestToken(service, app.form)).json().access_token
    expect(again).not.toBe(app.token)
    expect(await meOf(app.token)).toBe(app.userID)
    expect(await meOf(again)).toBe(app.userID)
  })

  test('accepts the credentials by HTTP Basic, form-encoded or not', async () => {
    const { app } = await makeWorld(service)
    const form = without(app.form, 'client_id', 'client_secret')
    const plain = await requestToken(service, form, basic(app.id, app.clientSecret))
    expect(plain.statusCode).toBe(200)
    const encoded = basic(app.id.replace('_', '%5F'), app.clientSecret)
    expect((await requestToken(service, form, encoded)).statusCode).toBe(200)
    const named = { ...form, client_id: app.id }
    expect((await requestToken(service, named, basic(app.id, app.clientSecret))).statusCode).toBe(200)
  })

  test('stores only the SHA-256 of tokens and secrets, and logs neither', async () => {
    const { app, operator } = await makeWorld(service)
    const [storedToken] = await operator.db.accessToken.findMany({ where: { appID: app.id } })
    const [storedApp] = await operator.db.app.findMany({ where: { id: app.id } })
    const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
    const hex = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('hex')
    expect([hex(storedToken?.tokenHash), hex(storedApp?.secretHash)]).toEqual([
      hashOf(app.token),
      hashOf(app.clientSecret),
    ])
    for (const secret of [app.token, app.clientSecret]) {
      expect(JSON.stringify([storedToken, storedApp])).not.toContain(secret)
      expect(service.log.join('')).not.toContain(secret)
    }
  })
})

describe('a bad token request', () => {
  const refusals: [string, (world: World) => Record<string, string>, number, string][] = [
    ['another grant', ({ app }) => ({ ...app.form, grant_type: 'password' }), 400, 'unsupported_grant_type'],
    ['no grant_type', ({ app }) => without(app.form, 'grant_type'), 400, 'invalid_request'],
    ['no subject', ({ app }) => without(app.form, 'subject'), 400, 'invalid_request'],
    ['an empty subject', ({ app }) => ({ ...app.form, subject: '' }), 400, 'invalid_request'],
    ['no redirect_uri', ({ app }) => without(app.form, 'redirect_uri'), 400, 'invalid_request'],
    ['no client_id', ({ app }) => without(app.form, 'client_id'), 400, 'invalid_request'],
    ['no client_secret', ({ app }) => without(app.form, 'client_secret'), 400, 'invalid_request'],
    ['a wrong secret', ({ app }) => ({ ...app.form, client_secret: 'wrong' }), 401, 'invalid_client'],
    [
      'an unknown app',
      ({ app }) => ({ ...app.form, client_id: `app_${'0'.repeat(27)}` }),
      401,
      'invalid_client',
    ],
    ['an ID with NUL', ({ app }) => ({ ...app.form, client_id: 'app_\0' }), 401, 'invalid_client'],
    [
      'a workspace that does not exist',
      ({ app }) => ({ ...app.form, subject: `wks_${'0'.repeat(27)}` }),
      400,
      'invalid_grant',
    ],
    ['an unknown scope', ({ app }) => ({ ...app.form, scope: 'admin' }), 400, 'invalid_scope'],
    ['a subject with NUL', ({ app }) => ({ ...app.form, subject: 'wks_\0' }), 400, 'invalid_grant'],
    [
      'a redirect URI that is not registered',
      ({ app }) => ({ ...app.form, redirect_uri: `${app.form.redirect_uri}/` }),
      400,
      'invalid_grant',
    ],
    ['a redirect URL with NUL', ({ app }) => ({ ...app.form, redirect_uri: '\0' }), 400, 'invalid_grant'],
  ]

  test.each(refusals)('with %s is refused', async (_what, formOf, status, error) => {
    const answer = await requestToken(service, formOf(await makeWorld(service)))
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual({ error, error_description: expect.any(String) })
    expect(answer.headers['cache-control']).toBe('no-store')
    if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/)
  })

  test('returns the same error for a workspace without the app and an unknown workspace', async () => {
    const [one, other] = [await makeWorld(service), await makeWorld(service)]
    const elsewhere = await requestToken(service, { ...one.app.form, subject: other.workspaceID })
    const nowhere = await requestToken(service, { ...one.app.form, subject: `wks_${'0'.repeat(27)}` })
    expect(elsewhere.statusCode).toBe(400)
    expect(elsewhere.json()).toEqual(nowhere.json())
  })

  test.each([
    '%',
    '%zz',
    '%c3%28',
    'a%2',
  ])('with broken percent-encoding %s is invalid_request', async (broken) => {
    const { app } = await makeWorld(service)
    const answer = await service.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${new URLSearchParams(app.form)}&state=${broken}`,
    })
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request'])
    expect(answer.json().error_description).toContain('percent-encoding')
  })

  test('with a repeated parameter is refused', async () => {
    const { app } = await makeWorld(service)
    const payload = `${new URLSearchParams(app.form)}&subject=${app.form.subject}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await service.app.inject({ method: 'POST', url: '/oauth/token', headers, payload })
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request'])
  })

  test('with credentials in both header and body, or with different IDs, is refused', async () => {
    const { app } = await makeWorld(service)
    const both = await requestToken(service, app.form, basic(app.id, app.clientSecret))
    expect([both.statusCode, both.json().error]).toEqual([400, 'invalid_request'])
    const other = { ...without(app.form, 'client_secret'), client_id: `app_${'0'.repeat(27)}` }
    const differing = await requestToken(service, other, basic(app.id, app.clientSecret))
    expect([differing.statusCode, differing.json().error]).toEqual([400, 'invalid_request'])
  })

  test.each([
    'Bearer x',
    'Basic',
    'Basic !',
    'Basic eA==',
  ])('with the header %s is refused', async (authorization) => {
    const { app } = await makeWorld(service)
    const form = without(app.form, 'client_id', 'client_secret')
    const answer = await requestToken(service, form, { authorization })
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client'])
  })

  test.each([
    ['application/json', '{"grant_type":"client_credentials"}', 400],
    ['multipart/form-data; boundary=x', '--x--', 400],
    ['text/plain', 'grant_type=client_credentials', 400],
    ['application/x-www-form-urlencoded', '', 400],
    ['application/x-www-form-urlencoded', 'a'.repeat(17 * 1024), 413],
  ])('with a body of %s that is not a valid form is invalid_request', async (type, payload, status) => {
    const headers = { 'content-type': type }
    const answer = await service.app.inject({ method: 'POST', url: '/oauth/token', headers, payload })
    expect([answer.statusCode, answer.json().error]).toEqual([status, 'invalid_request'])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('with a method other than POST returns 405 with Allow', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const answer = await service.app.inject({ method, url: '/oauth/token' })
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST'])
    }
  })
})

describe('a token becomes invalid immediately when', () => {
  test('the app is uninstalled, and stays invalid when the app is installed again', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    await uninstallApp(operator, { workspaceID, appID: app.id })
    expect(await meOf(app.token)).toBeUndefined()
    expect((await requestToken(service, app.form)).json().error).toBe('invalid_grant')
    const installed = await installApp(operator, { workspaceID, appID: app.id })
    expect(await meOf(app.token)).toBeUndefined()
    const again = (await requestToken(service, app.form)).json()
    expect(again.user_id).toBe(app.userID)
    expect(installed.userID).toBe(app.userID)
  })

  test('the app is deleted', async () => {
    const { app, operator } = await makeWorld(service)
    await deleteApp(operator, { appID: app.id })
    expect(await meOf(app.token)).toBeUndefined()
    expect((await requestToken(service, app.form)).statusCode).toBe(401)
  })

  test('the tokens are revoked, and a new token is valid', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    expect(await revokeAccessTokens(operator, { workspaceID, appID: app.id })).toBe(1)
    expect(await meOf(app.token)).toBeUndefined()
    const next = (await requestToken(service, app.form)).json().access_token
    expect(await meOf(next)).toBe(app.userID)
  })

  test('it expires by the clock of the database', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    await operator.db.$executeRaw`
      UPDATE access_tokens SET expires_at = now() WHERE workspace_id = ${workspaceID} AND app_id = ${app.id}`
    expect(await meOf(app.token)).toBeUndefined()
  })
})

test('a rotated secret replaces the old one immediately', async () => {
  const { app, operator, workspaceID } = await makeWorld(service)
  const { clientSecret } = await rotateClientSecret(operator, { appID: app.id })
  expect((await requestToken(service, app.form)).json().error).toBe('invalid_client')
  const form = tokenForm({ workspaceID, clientID: app.id, clientSecret })
  expect((await requestToken(service, form)).statusCode).toBe(200)
})

test('an app that is installed in two workspaces has a user in each', async () => {
  const [one, other] = [await makeWorld(service), await makeWorld(service)]
  await installApp(one.operator, { workspaceID: other.workspaceID, appID: one.app.id })
  const there = (await requestToken(service, { ...one.app.form, subject: other.workspaceID })).json()
  expect(there.user_id).not.toBe(one.app.userID)
  expect(await meOf(there.access_token)).toBe(there.user_id)
  await uninstallApp(one.operator, { workspaceID: other.workspaceID, appID: one.app.id })
  expect(await meOf(there.access_token)).toBeUndefined()
  expect(await meOf(one.app.token)).toBe(one.app.userID)
})

test('installing an app several times at once creates one user', async () => {
  const [one, other] = [await makeWorld(service), await makeWorld(service)]
  const input = { workspaceID: other.workspaceID, appID: one.app.id }
  const installed = await Promise.all(Array.from({ length: 10 }, () => installApp(one.operator, input)))
  expect(new Set(installed.map(({ userID }) => userID)).size).toBe(1)
})

test('the metadata lists the supported endpoints, methods, grants and scopes', async () => {
  const answer = await service.app.inject('/.well-known/oauth-authorization-server')
  const { baseURL } = service.config
  expect(answer.json()).toEqual({
    issuer: baseURL,
    authorization_endpoint: `${baseURL}/oauth/authorize`,
    token_endpoint: `${baseURL}/oauth/token`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint: `${baseURL}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint: `${baseURL}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseURL}/docs/apps`,
    scopes_supported: [
      ...[
        'workspaces:read',
        'workspaces:write',
        'users.email:read',
        'groups:read',
        'groups:write',
        'threads:read',
        'threads:write',
      ],
      ...['threads.messages:read', 'threads.messages:write'],
      ...['apps:read', 'apps:write', 'webhooks:read', 'webhooks:write'],
    ],
  })
})

test('requests above the limit per minute return 429 with Retry-After', async () => {
  const answers = []
  for (let count = 0; count < 4; count++) answers.push(await requestToken(limited, { grant_type: 'x' }))
  expect(answers.map((answer) => answer.statusCode)).toEqual([400, 400, 400, 429])
  expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0)
})
