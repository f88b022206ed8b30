import { describe, expect, test } from 'vitest'
import {
  codeFrom,
  errorOf,
  exchange,
  identity,
  invalidGrant,
  postAs,
  refresh,
  startWithApps,
  tokensFrom,
  userOfToken,
} from '../support/consent.ts'
import { makeWorld, requestToken } from '../support/factories.ts'

const { service, world, admin, robot, mobile } = await startWithApps()

const revoke = (app: typeof robot, token: string, more = {}) =>
  postAs(service, '/oauth/revoke', app, { token, ...more })
const inspect = async (app: typeof robot, token: string) =>
  (await postAs(service, '/oauth/introspect', app, { token })).json()

describe('a revocation', () => {
  test.each([robot, mobile])('of an access token ends only this token', async (app) => {
    const tokens = await tokensFrom(service, admin, app)
    const answer = await revoke(app, tokens.access_token, { token_type_hint: 'refresh_token' })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
    const renewed = (await refresh(service, app, tokens.refresh_token)).json()
    expect(await userOfToken(service, renewed.access_token)).toBe(app.userID)
  })

  test('of a refresh token ends the whole grant, even if the token was replaced', async () => {
    for (const number of [0, 1]) {
      const first = await tokensFrom(service, admin, robot)
      const second = (await refresh(service, robot, first.refresh_token)).json()
      const token = [first, second][number]?.refresh_token
      expect((await revoke(robot, token)).statusCode).toBe(200)
      for (const { access_token, refresh_token } of [first, second]) {
        expect(await userOfToken(service, access_token)).toBeUndefined()
        expect(errorOf(await refresh(service, robot, refresh_token))).toEqual(invalidGrant)
      }
    }
  })

  test('of an access token that was issued for client credentials ends this token', async () => {
    const { app } = await makeWorld(service)
    expect((await revoke({ ...app, clientSecret: app.clientSecret }, app.token)).statusCode).toBe(200)
    expect(await userOfToken(service, app.token)).toBeUndefined()
  })

  test('during a hundred refreshes leaves no token that works', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => refresh(service, robot, refresh_token))),
      revoke(robot, refresh_token),
    ])
    for (const answer of answers) {
      if (answer.statusCode === 200)
        expect(await userOfToken(service, answer.json().access_token)).toBeUndefined()
      else expect(errorOf(answer)).toEqual(invalidGrant)
    }
  })

  test('returns 200 for an unknown token, and for a token of another app, which stays valid', async () => {
    const tokens = await tokensFrom(service, admin, mobile)
    await revoke(robot, tokens.access_token)
    for (const token of [tokens.access_token, tokens.refresh_token, 'x', '\0']) {
      expect((await revoke(robot, token)).statusCode).toBe(200)
    }
    expect(await userOfToken(service, tokens.access_token)).toBe(mobile.userID)
    expect((await refresh(service, mobile, tokens.refresh_token)).statusCode).toBe(200)
  })

  test('needs a token, and the credentials of the app', async () => {
    const { access_token } = await tokensFrom(service, admin, robot)
    expect(errorOf(await revoke(robot, ''))).toEqual([400, 'invalid_request'])
    for (const clientSecret of [null, 'wrong']) {
      const answer = await revoke({ ...robot, clientSecret }, access_token)
      expect(errorOf(answer)).toEqual([401, 'invalid_client'])
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
    }
    expect(await userOfToken(service, access_token)).toBe(robot.userID)
  })
})

describe('an introspection', () => {
  test('describes an access token and a refresh token', async () => {
    const tokens = await tokensFrom(service, admin, robot, { scope: 'groups:read' })
    const fields = {
      active: true,
      scope: 'groups:read',
      client_id: robot.id,
      sub: robot.userID,
      iss: service.config.baseURL,
      workspace_id: world.workspaceID,
      exp: expect.any(Number),
    }
    const access = await inspect(robot, tokens.access_token)
    expect(access).toEqual({ ...fields, token_type: 'Bearer', iat: expect.any(Number) })
    expect(access.exp - access.iat).toBeGreaterThanOrEqual(3599)
    expect(access.exp - access.iat).toBeLessThanOrEqual(3601)
    const renewing = await inspect(robot, tokens.refresh_token)
    expect(renewing).toEqual(fields)
    expect(Math.round((renewing.exp - access.iat) / 86_400)).toBe(90)
  })

  test('names the person of a token that acts as a person', async () => {
    const tokens = await tokensFrom(service, admin, robot, { act_as: 'user', scope: 'workspaces:write' })
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await inspect(robot, token)).toMatchObject({
        active: true,
        sub: admin.id,
        scope: 'workspaces:write',
      })
    }
  })

  test('describes a token of client credentials', async () => {
    const { app, workspaceID } = await makeWorld(service)
    const { access_token: token } = (
      await requestToken(service, { ...app.form, scope: 'groups:read' })
    ).json()
    expect(await inspect({ ...app }, token)).toMatchObject({
      active: true,
      scope: 'groups:read',
      sub: app.userID,
      workspace_id: workspaceID,
    })
  })

  test('returns only active: false for an unknown token, a revoked token, a code, or a token of another app', async () => {
    const tokens = await tokensFrom(service, admin, mobile)
    const revoked = await tokensFrom(service, admin, robot)
    await revoke(robot, revoked.refresh_token)
    const code = await codeFrom(service, admin, robot)
    const others = [tokens.access_token, tokens.refresh_token, revoked.access_token, code, 'x', '\0']
    for (const token of others) expect(await inspect(robot, token)).toEqual({ active: false })
    expect((await exchange(service, robot, code)).statusCode).toBe(200)
  })

  test('needs a token and a client secret', async () => {
    const { access_token: token } = await tokensFrom(service, admin, mobile)
    const ask = async (app: typeof robot, fields: Record<string, string>) =>
      errorOf(await postAs(service, '/oauth/introspect', app, fields))
    expect(await ask(robot, {})).toEqual([400, 'invalid_request'])
    expect(await ask(mobile, { token })).toEqual([400, 'invalid_request'])
    expect(await ask({ ...robot, clientSecret: 'wrong' }, { token })).toEqual([401, 'invalid_client'])
    expect(await ask({ ...mobile, clientSecret: 'made-up' }, { token })).toEqual([401, 'invalid_client'])
  })
})

test('revocation and introspection accept only POST with a form', async () => {
  for (const url of ['/oauth/revoke', '/oauth/introspect']) {
    const get = await service.app.inject({ url })
    expect([url, get.statusCode, get.headers.allow]).toEqual([url, 405, 'POST'])
    const payload = { ...identity(robot), token: 'x' }
    const json = await service.app.inject({ method: 'POST', url, payload })
    expect(errorOf(json)).toEqual([400, 'invalid_request'])
  }
})

test('the metadata names every endpoint, method and parameter', async () => {
  const { baseURL } = service.config
  const answer = await service.app.inject('/.well-known/oauth-authorization-server')
  expect(answer.json()).toMatchObject({
    issuer: baseURL,
    authorization_endpoint: `${baseURL}/oauth/authorize`,
    token_endpoint: `${baseURL}/oauth/token`,
    revocation_endpoint: `${baseURL}/oauth/revoke`,
    introspection_endpoint: `${baseURL}/oauth/introspect`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: expect.arrayContaining(['workspaces:write']),
    service_documentation: expect.stringContaining(baseURL),
  })
})
