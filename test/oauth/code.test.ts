import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deleteApp, rotateClientSecret } from '../../src/apps/change-app.ts'
import { endGrant, sweepGrants } from '../../src/apps/grants/end-grant.ts'
import { installApp } from '../../src/apps/installations/install-app.ts'
import { uninstallApp } from '../../src/apps/installations/uninstall-app.ts'
import { revokeAccessTokens } from '../../src/apps/tokens/revoke-access-tokens.ts'
import {
  challengeOf,
  codeFrom,
  errorOf,
  exchange,
  invalidGrant,
  makeClient,
  makeConsenter,
  refresh,
  startWithApps,
  tokensFrom,
  userOfToken,
  verifier,
} from '../support/consent.ts'
import { makeWorld, redirectURI, requestToken } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const { service, world, admin, robot, mobile } = await startWithApps()
const { workspaceID, operator } = world
const { db } = operator

/** Changes the time at which a code expires. */
const expireCode = (code: string, seconds: number) => {
  const hash = createHash('sha256').update(code).digest()
  return db.$executeRaw`
    UPDATE grants SET expires_at = now() + make_interval(secs => ${seconds}) WHERE code_hash = ${hash}`
}

const grantOf = (code: string) =>
  db.grant.findUnique({ where: { codeHash: createHash('sha256').update(code).digest() } })

describe('a code', () => {
  test('gives tokens of the app user, with the workspace and the scopes', async () => {
    const code = await codeFrom(service, admin, robot, { scope: 'groups:read threads:read' })
    const answer = await exchange(service, robot, code)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.json()).toEqual({
      user_id: robot.userID,
      workspace_id: workspaceID,
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^skrt_[\w-]{43}$/),
      scope: 'groups:read threads:read',
    })
    const query = '{ me { id } viewer { scopes installation { app { id } } } }'
    const { data } = await service.graphql(answer.json().access_token, query)
    expect(data).toEqual({
      me: { id: robot.userID },
      viewer: {
        scopes: ['groups:read', 'threads:read', 'threads.messages:read'],
        installation: { app: { id: robot.id } },
      },
    })
  })

  test('of a public app needs no secret', async () => {
    const tokens = await tokensFrom(service, admin, mobile)
    expect(await userOfToken(service, tokens.access_token)).toBe(mobile.userID)
  })

  test('can be exchanged with HTTP Basic', async () => {
    const code = await codeFrom(service, admin, robot)
    const basic = Buffer.from(`${robot.id}:${robot.clientSecret}`).toString('base64')
    const { statusCode } = await requestToken(
      service,
      { grant_type: 'authorization_code', code, redirect_uri: redirectURI, code_verifier: verifier },
      { authorization: `Basic ${basic}` },
    )
    expect(statusCode).toBe(200)
  })

  test('works without PKCE for a confidential app', async () => {
    const more = { code_challenge: undefined, code_challenge_method: undefined }
    const code = await codeFrom(service, admin, robot, more)
    expect((await exchange(service, robot, code, { code_verifier: '' })).statusCode).toBe(200)
  })

  test('works for 60 seconds', async () => {
    const code = await codeFrom(service, admin, robot)
    const [{ seconds }] = await db.$queryRaw<[{ seconds: number }]>`
      SELECT extract(epoch FROM expires_at - created_at)::float AS seconds FROM grants ORDER BY created_at DESC LIMIT 1`
    expect(seconds).toBe(60)
    await expireCode(code, -1)
    expect(errorOf(await exchange(service, robot, code))).toEqual(invalidGrant)
    await sweepGrants(db)
    expect(await grantOf(code)).toBeNull()
  })

  test('is stored as a hash, and is not logged', async () => {
    service.log.length = 0
    const code = await codeFrom(service, admin, robot)
    const tokens = (await exchange(service, robot, code)).json()
    await exchange(service, robot, 'wrong-code')
    const secrets = [code, tokens.access_token, tokens.refresh_token, verifier, robot.clientSecret ?? '-']
    const stored = await db.$queryRaw<{ hash: string; row: string }[]>`
      SELECT encode(code_hash, 'hex') AS hash, to_jsonb(g)::text AS row FROM grants g
      UNION ALL SELECT encode(token_hash, 'hex'), to_jsonb(r)::text FROM refresh_tokens r
      UNION ALL SELECT encode(token_hash, 'hex'), to_jsonb(a)::text FROM access_tokens a`
    const hashes = [code, tokens.access_token, tokens.refresh_token].map((secret: string) =>
      createHash('sha256').update(secret).digest('hex'),
    )
    expect(stored.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes))
    for (const secret of secrets) {
      expect(JSON.stringify(stored)).not.toContain(secret)
      expect(service.log.join('')).not.toContain(secret)
    }
    expect(service.log.some((line) => line.includes('/oauth/authorize'))).toBe(true)
  })
})

describe('a bad exchange', () => {
  test.each<[string, Record<string, string>, [number, string]]>([
    ['another redirect URI', { redirect_uri: `${redirectURI}/` }, [400, 'invalid_grant']],
    ['no redirect URI', { redirect_uri: '' }, [400, 'invalid_request']],
    ['another verifier', { code_verifier: `${'x'.repeat(43)}` }, [400, 'invalid_grant']],
    ['the challenge as verifier', { code_verifier: challengeOf(verifier) }, [400, 'invalid_grant']],
    ['no verifier', { code_verifier: '' }, [400, 'invalid_grant']],
    ['another code', { code: 'x'.repeat(43) }, [400, 'invalid_grant']],
    ['a code with NUL', { code: '\0' }, [400, 'invalid_grant']],
    ['no code', { code: '' }, [400, 'invalid_request']],
    ['a wrong secret', { client_secret: 'wrong' }, [401, 'invalid_client']],
    ['no secret', { client_secret: '' }, [401, 'invalid_client']],
    ['an unknown app', { client_id: `app_${'0'.repeat(27)}` }, [401, 'invalid_client']],
  ])('with %s is refused, and the code stays valid', async (_what, more, error) => {
    const code = await codeFrom(service, admin, robot)
    expect(errorOf(await exchange(service, robot, code, more))).toEqual(error)
    expect((await exchange(service, robot, code)).statusCode).toBe(200)
  })

  test('of a public app with a secret is refused', async () => {
    const code = await codeFrom(service, admin, mobile)
    const answer = await exchange(service, { ...mobile, clientSecret: 'made-up' }, code)
    expect(errorOf(answer)).toEqual([401, 'invalid_client'])
  })

  test('by another app is refused, and does not end the grant', async () => {
    const code = await codeFrom(service, admin, robot)
    expect(errorOf(await exchange(service, mobile, code))).toEqual(invalidGrant)
    const tokens = (await exchange(service, robot, code)).json()
    expect(errorOf(await exchange(service, mobile, code))).toEqual(invalidGrant)
    expect(await userOfToken(service, tokens.access_token)).toBe(robot.userID)
  })

  test('by somebody else with wrong secrets does not lock out a public app', async () => {
    const guarded = await startService({ WRONG_CREDENTIALS_PER_MINUTE: '2' })
    const place = await makeWorld(guarded)
    const person = await makeConsenter(guarded, place)
    const app = await makeClient(place, { isPublic: true })
    for (const clientSecret of ['a', 'b', 'c', 'd']) await exchange(guarded, { ...app, clientSecret }, 'x')
    expect((await exchange(guarded, { ...app, clientSecret: 'e' }, 'x')).statusCode).toBe(429)
    expect((await exchange(guarded, app, await codeFrom(guarded, person, app))).statusCode).toBe(200)
  })
})

describe('a second use of a code', () => {
  test('revokes the tokens that the first use obtained, also after 60 seconds', async () => {
    const code = await codeFrom(service, admin, robot)
    const tokens = (await exchange(service, robot, code)).json()
    const renewed = (await refresh(service, robot, tokens.refresh_token)).json()
    await db.$executeRaw`UPDATE grants SET code_used_at = now() - interval '1 hour'`
    expect(errorOf(await exchange(service, robot, code))).toEqual(invalidGrant)
    for (const { access_token, refresh_token } of [tokens, renewed]) {
      expect(await userOfToken(service, access_token)).toBeUndefined()
      expect(errorOf(await refresh(service, robot, refresh_token))).toEqual(invalidGrant)
    }
    expect(await grantOf(code)).toBeNull()
    expect(errorOf(await exchange(service, robot, code))).toEqual(invalidGrant)
  })

  test('does not affect other grants of the same person and app', async () => {
    const other = await tokensFrom(service, admin, robot)
    const code = await codeFrom(service, admin, robot)
    await exchange(service, robot, code)
    await exchange(service, robot, code)
    expect(await userOfToken(service, other.access_token)).toBe(robot.userID)
  })

  test('fails in a hundred concurrent uses: only one use succeeds, and its tokens are revoked afterwards', async () => {
    const code = await codeFrom(service, admin, robot)
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(service, robot, code)))
    const [won, ...others] = answers.toSorted((one, other) => one.statusCode - other.statusCode)
    expect(won?.statusCode).toBe(200)
    expect(others.map(errorOf)).toEqual(others.map(() => invalidGrant))
    const tokens = won?.json()
    expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
    expect(errorOf(await refresh(service, robot, tokens.refresh_token))).toEqual(invalidGrant)
    expect(await grantOf(code)).toBeNull()
  })
})

describe('the end of an installation', () => {
  const ends: [string, (appID: string) => Promise<unknown>][] = [
    ['uninstallApp', (appID) => uninstallApp(operator, { workspaceID, appID })],
    ['deleteApp', (appID) => deleteApp(operator, { appID })],
    ['revokeAccessTokens', (appID) => revokeAccessTokens(operator, { workspaceID, appID })],
  ]
  test.each(ends)('by %s ends codes, access tokens and refresh tokens', async (name, end) => {
    const app = await makeClient(world)
    const code = await codeFrom(service, admin, app)
    const tokens = [
      await tokensFrom(service, admin, app),
      await tokensFrom(service, admin, app, { act_as: 'user' }),
    ]
    await end(app.id)
    const error = name === 'deleteApp' ? [401, 'invalid_client'] : invalidGrant
    expect(errorOf(await exchange(service, app, code))).toEqual(error)
    for (const { access_token, refresh_token } of tokens) {
      expect(await userOfToken(service, access_token)).toBeUndefined()
      expect(errorOf(await refresh(service, app, refresh_token))).toEqual(error)
    }
    if (name === 'deleteApp') return
    await installApp(operator, { workspaceID, appID: app.id })
    expect(errorOf(await exchange(service, app, code))).toEqual(invalidGrant)
    expect(await userOfToken(service, tokens[0]?.access_token ?? '')).toBeUndefined()
  })

  test('leaves no valid token if codes are exchanged and tokens are refreshed at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const app = await makeClient(world)
      const codes = []
      for (let count = 0; count < 6; count += 1) codes.push(await codeFrom(service, admin, app))
      const before = await tokensFrom(service, admin, app)
      const exchanges = codes.map((code) => exchange(service, app, code))
      const uninstalled = uninstallApp(operator, { workspaceID, appID: app.id })
      const answers = await Promise.all([...exchanges, refresh(service, app, before.refresh_token)])
      await uninstalled
      for (const answer of answers) {
        expect([200, 400]).toContain(answer.statusCode)
        if (answer.statusCode === 400) expect(errorOf(answer)).toEqual(invalidGrant)
        else expect(await userOfToken(service, answer.json().access_token)).toBeUndefined()
      }
      const where = { workspaceID, appID: app.id }
      expect(await db.accessToken.count({ where })).toBe(0)
      expect(await db.grant.count({ where })).toBe(0)
    }
  })

  test('during a consent leaves a valid code only if the consent installs the app again', async () => {
    const app = await makeClient(world)
    const installed = () =>
      db.installation.count({ where: { workspaceID, appID: app.id, uninstalledAt: null } })
    const results = await Promise.allSettled([
      codeFrom(service, admin, app),
      uninstallApp(operator, { workspaceID, appID: app.id }),
    ])
    const [consent] = results
    if (consent.status === 'rejected') return
    const answer = await exchange(service, app, consent.value)
    expect(answer.statusCode).toBe((await installed()) === 1 ? 200 : 400)
  })
})

test('a new client secret does not end tokens, but is needed for the next refresh', async () => {
  const app = await makeClient(world)
  const tokens = await tokensFrom(service, admin, app)
  const { clientSecret } = await rotateClientSecret(operator, { appID: app.id })
  expect(await userOfToken(service, tokens.access_token)).toBe(app.userID)
  expect(errorOf(await refresh(service, app, tokens.refresh_token))).toEqual([401, 'invalid_client'])
  const renewed = await refresh(service, { ...app, clientSecret }, tokens.refresh_token)
  expect(renewed.statusCode).toBe(200)
})

test('a grant can be ended only once', async () => {
  const code = await codeFrom(service, admin, robot)
  const grant = await grantOf(code)
  if (!grant) throw new Error('The grant does not exist')
  expect([await endGrant(db, grant), await endGrant(db, grant)]).toEqual([true, false])
  expect(errorOf(await exchange(service, robot, code))).toEqual(invalidGrant)
})
