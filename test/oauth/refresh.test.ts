import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sweepGrants } from '../../src/apps/grants/end-grant.ts'
import { installApp } from '../../src/apps/installations/install-app.ts'
import {
  errorOf,
  invalidGrant,
  makeClient,
  postAs,
  refresh,
  startWithApps,
  type Tokens,
  tokensFrom,
  userOfToken,
} from '../support/consent.ts'

const { service, world, admin, robot, mobile } = await startWithApps()
const { workspaceID, operator } = world
const { db } = operator

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Returns the stored row of a refresh token. */
const rowOf = (token: string) => db.refreshToken.findUniqueOrThrow({ where: { tokenHash: hashOf(token) } })

/** Moves the replacement of a refresh token into the past. */
const replacedAgo = (token: string, seconds: number) => db.$executeRaw`
  UPDATE refresh_tokens SET replaced_at = replaced_at - make_interval(secs => ${seconds})
  WHERE token_hash = ${hashOf(token)}`

describe('a refresh token', () => {
  test.each([robot, mobile])('gives new tokens with the same fields, and is replaced', async (app) => {
    const tokens = await tokensFrom(service, admin, app, { scope: 'groups:read threads:read' })
    const answer = await refresh(service, app, tokens.refresh_token)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    const renewed = answer.json()
    expect(renewed).toEqual({
      user_id: app.userID,
      workspace_id: workspaceID,
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^skrt_[\w-]{43}$/),
      scope: 'groups:read threads:read',
    })
    expect([renewed.access_token, renewed.refresh_token]).not.toContain(tokens.refresh_token)
    expect(await userOfToken(service, renewed.access_token)).toBe(app.userID)
    expect(await userOfToken(service, tokens.access_token)).toBe(app.userID)
  })

  test('can narrow the scopes of an access token, but does not change the scopes of the grant', async () => {
    const tokens = await tokensFrom(service, admin, robot, { scope: 'groups:read threads:read' })
    const narrow = (await refresh(service, robot, tokens.refresh_token, { scope: 'groups:read' })).json()
    expect(narrow.scope).toBe('groups:read')
    const { data } = await service.graphql(narrow.access_token, '{ viewer { scopes } }')
    expect(data.viewer.scopes).toEqual(['groups:read'])
    const wide = await refresh(service, robot, narrow.refresh_token)
    expect(wide.json().scope).toBe('groups:read threads:read')
    const included = { scope: 'threads.messages:read' }
    const last = await refresh(service, robot, wide.json().refresh_token, included)
    expect(last.json().scope).toBe('threads.messages:read')
  })

  test('cannot extend the scopes, and stays valid', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot, { scope: 'groups:read' })
    for (const scope of ['groups:read threads:read', 'admin', ',']) {
      expect(errorOf(await refresh(service, robot, refresh_token, { scope }))).toEqual([400, 'invalid_scope'])
    }
    expect(await rowOf(refresh_token)).toMatchObject({ replacedAt: null, successorSalt: null })
  })

  test('loses the scopes that the installation loses, and gets them back', async () => {
    const app = await makeClient(world, { scopes: [] })
    const tokens = await tokensFrom(service, admin, app, { scope: 'groups:read threads:read' })
    const change = (scopes: string[]) => installApp(operator, { workspaceID, appID: app.id, scopes })
    await change(['threads.messages:read', 'workspaces:read'])
    const fewer = (await refresh(service, app, tokens.refresh_token)).json()
    expect(fewer.scope).toBe('threads.messages:read')
    await change(['groups:read', 'threads:read', 'workspaces:read'])
    const again = (await refresh(service, app, fewer.refresh_token)).json()
    expect(again.scope).toBe('groups:read threads:read')
  })

  test('ends after 90 days without use', async () => {
    const tokens = await tokensFrom(service, admin, robot)
    const shift = (days: number) => db.$executeRaw`
      UPDATE grants SET expires_at = expires_at - make_interval(days => ${days})
      WHERE id = (SELECT grant_id FROM refresh_tokens WHERE token_hash = ${hashOf(tokens.refresh_token)})`
    await shift(89)
    const renewed = (await refresh(service, robot, tokens.refresh_token)).json()
    await shift(89)
    const last: Tokens = (await refresh(service, robot, renewed.refresh_token)).json()
    await shift(91)
    expect(errorOf(await refresh(service, robot, last.refresh_token))).toEqual(invalidGrant)
    await sweepGrants(db)
    expect(await db.refreshToken.count({ where: { tokenHash: hashOf(last.refresh_token) } })).toBe(0)
    expect(await userOfToken(service, last.access_token)).toBeUndefined()
  })

  test('is refused from another app and without a secret, and no other value is accepted in its place', async () => {
    const tokens = await tokensFrom(service, admin, robot)
    expect(errorOf(await refresh(service, mobile, tokens.refresh_token))).toEqual(invalidGrant)
    const withoutSecret = { ...robot, clientSecret: null }
    expect(errorOf(await refresh(service, withoutSecret, tokens.refresh_token))).toEqual([
      401,
      'invalid_client',
    ])
    for (const token of [tokens.access_token, 'x', '\0']) {
      expect(errorOf(await refresh(service, robot, token))).toEqual(invalidGrant)
    }
    expect(errorOf(await refresh(service, robot, ''))).toEqual([400, 'invalid_request'])
    expect((await refresh(service, robot, tokens.refresh_token)).statusCode).toBe(200)
  })

  test('of the earlier form, 64 hexadecimal digits, still works', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    const earlier = hashOf(refresh_token).toString('hex')
    await db.refreshToken.update({
      where: { tokenHash: hashOf(refresh_token) },
      data: { tokenHash: hashOf(earlier) },
    })
    const renewed = await refresh(service, robot, earlier)
    expect(renewed.json().refresh_token).toMatch(/^skrt_[\w-]{43}$/)
  })

  test('does not work as an access token', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    expect(await userOfToken(service, refresh_token)).toBeUndefined()
  })
})

describe('a replaced refresh token', () => {
  test('can be exchanged again for 30 seconds, because the first answer may be lost', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    await refresh(service, robot, refresh_token)
    await replacedAgo(refresh_token, 25)
    const second: Tokens = (await refresh(service, robot, refresh_token)).json()
    const third = await refresh(service, robot, second.refresh_token)
    expect(third.statusCode).toBe(200)
    expect(await userOfToken(service, second.access_token)).toBe(robot.userID)
  })

  test('gets no more time when it is used again', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    await refresh(service, robot, refresh_token)
    await replacedAgo(refresh_token, 20)
    expect((await refresh(service, robot, refresh_token)).statusCode).toBe(200)
    await replacedAgo(refresh_token, 20)
    expect(errorOf(await refresh(service, robot, refresh_token))).toEqual(invalidGrant)
  })

  test.each([
    ['', {}],
    [' with a wrong scope', { scope: 'workspaces:write' }],
  ])('revokes the grant if it is used later%s', async (_what, more) => {
    const tokens = await tokensFrom(service, admin, robot)
    const other = await tokensFrom(service, admin, robot)
    const second: Tokens = (await refresh(service, robot, tokens.refresh_token)).json()
    const third: Tokens = (await refresh(service, robot, second.refresh_token)).json()
    await replacedAgo(tokens.refresh_token, 31)
    expect(errorOf(await refresh(service, robot, tokens.refresh_token, more))).toEqual(invalidGrant)
    for (const { access_token, refresh_token } of [tokens, second, third]) {
      expect(await userOfToken(service, access_token)).toBeUndefined()
      expect(errorOf(await refresh(service, robot, refresh_token))).toEqual(invalidGrant)
    }
    expect(await userOfToken(service, other.access_token)).toBe(robot.userID)
  })

  test('is stored for 90 days, and then deleted', async () => {
    const tokens = await tokensFrom(service, admin, robot)
    const second: Tokens = (await refresh(service, robot, tokens.refresh_token)).json()
    const count = () => db.refreshToken.count({ where: { tokenHash: hashOf(tokens.refresh_token) } })
    await replacedAgo(tokens.refresh_token, 89 * 24 * 60 * 60)
    await sweepGrants(db)
    expect(await count()).toBe(1)
    await replacedAgo(tokens.refresh_token, 2 * 24 * 60 * 60)
    await sweepGrants(db)
    expect(await count()).toBe(0)
    expect((await refresh(service, robot, second.refresh_token)).statusCode).toBe(200)
  })

  test('revokes the grant if it is used after a newer token, even after a sweep of old tokens', async () => {
    const tokens = await tokensFrom(service, admin, robot)
    const second: Tokens = (await refresh(service, robot, tokens.refresh_token)).json()
    const third: Tokens = (await refresh(service, robot, second.refresh_token)).json()
    await sweepGrants(db)
    expect(errorOf(await refresh(service, robot, tokens.refresh_token))).toEqual(invalidGrant)
    expect(await userOfToken(service, third.access_token)).toBeUndefined()
  })

  test('is not active in an introspection', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    await refresh(service, robot, refresh_token)
    const answer = await postAs(service, '/oauth/introspect', robot, { token: refresh_token })
    expect(answer.json()).toEqual({ active: false })
  })
})

describe('several uses of one refresh token within 30 seconds', () => {
  test('give the same new token, and each gives an access token of its own', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    const one: Tokens = (await refresh(service, robot, refresh_token)).json()
    const other: Tokens = (await refresh(service, robot, refresh_token, { scope: 'threads:read' })).json()
    expect(other).toMatchObject({ refresh_token: one.refresh_token, scope: 'threads:read' })
    expect(other.access_token).not.toBe(one.access_token)
    for (const { access_token } of [one, other])
      expect(await userOfToken(service, access_token)).toBe(robot.userID)
  })

  test('let two clients that refresh at the same time go on, again and again', async () => {
    let tokens = await tokensFrom(service, admin, robot)
    for (let time = 0; time < 3; time += 1) {
      const answers = await Promise.all([1, 2].map(() => refresh(service, robot, tokens.refresh_token)))
      const [one, other]: Tokens[] = answers.map((answer) => answer.json())
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      expect(one?.refresh_token).toBe(other?.refresh_token)
      expect(await userOfToken(service, other?.access_token ?? '')).toBe(robot.userID)
      tokens = one ?? tokens
    }
  })

  test('are over as soon as the new token is used', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    const second: Tokens = (await refresh(service, robot, refresh_token)).json()
    const third: Tokens = (await refresh(service, robot, second.refresh_token)).json()
    expect(await rowOf(refresh_token)).toMatchObject({ successorSalt: null })
    expect(errorOf(await refresh(service, robot, refresh_token))).toEqual(invalidGrant)
    expect(errorOf(await refresh(service, robot, third.refresh_token))).toEqual(invalidGrant)
  })

  test('work for a token that a process of the version before replaced without a salt', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    await db.$executeRaw`UPDATE refresh_tokens SET replaced_at = now() WHERE token_hash = ${hashOf(refresh_token)}`
    const answers = await Promise.all([1, 2].map(() => refresh(service, robot, refresh_token)))
    const [one, other]: Tokens[] = answers.map((answer) => answer.json())
    expect(one?.refresh_token).toBe(other?.refresh_token)
    expect((await refresh(service, robot, one?.refresh_token ?? '')).statusCode).toBe(200)
  })
})

describe('what is stored of refresh tokens', () => {
  test('is their SHA-256, and a salt from which nobody can derive the new token without the old one', async () => {
    const { refresh_token: old } = await tokensFrom(service, admin, robot)
    const { refresh_token: successor }: Tokens = (await refresh(service, robot, old)).json()
    const [oldRow, successorRow] = [await rowOf(old), await rowOf(successor)]
    const salt = Buffer.from(oldRow.successorSalt ?? '')
    const derived = (message: string | Uint8Array) =>
      `skrt_${createHmac('sha256', salt).update(message).digest('base64url')}`
    expect({
      old: Buffer.from(oldRow.tokenHash).toString('hex'),
      successor: Buffer.from(successorRow.tokenHash).toString('hex'),
      saltBytes: salt.length,
      derivedFromToken: derived(old),
    }).toEqual({
      old: hashOf(old).toString('hex'),
      successor: hashOf(successor).toString('hex'),
      saltBytes: 32,
      derivedFromToken: successor,
    })
    const { tokenHash, grantID } = oldRow
    const known = [tokenHash, Buffer.from(tokenHash).toString('hex'), grantID, workspaceID, '']
    expect(known.map(derived)).not.toContain(successor)
    expect(successorRow.successorSalt).toBeNull()
  })

  test('has another salt for each token', async () => {
    const salts = new Set<string>()
    for (let time = 0; time < 3; time += 1) {
      const { refresh_token } = await tokensFrom(service, admin, robot)
      await refresh(service, robot, refresh_token)
      salts.add(Buffer.from((await rowOf(refresh_token)).successorSalt ?? '').toString('hex'))
    }
    expect(salts.size).toBe(3)
  })

  test('has no salt any more after the grace period, but the token is still known', async () => {
    const { refresh_token } = await tokensFrom(service, admin, robot)
    const { refresh_token: successor }: Tokens = (await refresh(service, robot, refresh_token)).json()
    await replacedAgo(refresh_token, 25)
    await sweepGrants(db)
    const repeated: Tokens = (await refresh(service, robot, refresh_token)).json()
    expect(repeated.refresh_token).toBe(successor)
    await replacedAgo(refresh_token, 60)
    await sweepGrants(db)
    expect(await rowOf(refresh_token)).toMatchObject({ replacedAt: expect.any(Date), successorSalt: null })
    expect((await refresh(service, robot, successor)).statusCode).toBe(200)
  })
})

test('a hundred concurrent uses of one refresh token all get access tokens that work, and the same new token', async () => {
  const { refresh_token } = await tokensFrom(service, admin, robot)
  const answers = await Promise.all(Array.from({ length: 100 }, () => refresh(service, robot, refresh_token)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  const all: Tokens[] = answers.map((answer) => answer.json())
  expect({
    accessTokens: new Set(all.map((each) => each.access_token)).size,
    refreshTokens: new Set(all.map((each) => each.refresh_token)).size,
  }).toEqual({ accessTokens: 100, refreshTokens: 1 })
  for (const each of [all[0], all[50], all[99]]) {
    expect(await userOfToken(service, each?.access_token ?? '')).toBe(robot.userID)
  }
  await replacedAgo(refresh_token, 31)
  const late = await Promise.all(Array.from({ length: 100 }, () => refresh(service, robot, refresh_token)))
  expect(late.map(errorOf)).toEqual(late.map(() => invalidGrant))
  for (const { access_token } of all) expect(await userOfToken(service, access_token)).toBeUndefined()
})
