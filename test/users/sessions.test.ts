import { describe, expect, test } from 'vitest'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { graphqlAs, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { makeClient, tokensFrom } from '../support/consent.ts'
import { makeWorld } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService({ TOKEN_RATE_PER_MINUTE: '100000' })
const world = await makeWorld(service)
const { operator, workspaceID } = world
const unknown = `ses_${'0'.repeat(27)}`
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const end = (ask: Ask, sessionID: string) =>
  ask(mutation('endSession', 'removedSessionID'), { input: { sessionID } })
const endOthersMutation = 'mutation { endOtherSessions { removedSessionIDs } }'
const endOthers = (ask: Ask) => ask(endOthersMutation)
const fields = 'id browser isCurrent createdAt lastUsedAt'
const list = async (ask: Ask) =>
  (await ask(`{ viewer { sessions { nodes { ${fields} } } } }`)).data.viewer.sessions.nodes
const idsOf = async (ask: Ask) => (await list(ask)).map(({ id }: { id: string }) => id)
const works = async (ask: Ask) => (await ask('{ me { id } }')).errors === undefined

/** Returns a new member who is signed in three times. */
async function withThreeSessions() {
  const first = await signedIn(service, world, 'member')
  const [second, third] = [await again(first.email), await again(first.email)]
  return { ...first, second, third, ids: await idsOf(first.ask) }
}

async function again(email: string): Promise<Ask> {
  const cookie = await signIn(service, operator, email)
  return (query, variables) => graphqlAs(service, { cookie, workspaceID }, query, variables)
}

describe('the sessions of the viewer', () => {
  test('have the name of the browser and their times, but neither the cookie nor its hash', async () => {
    const { ask, email, cookie } = await signedIn(service, world, 'member')
    const { db } = operator
    await db.$executeRaw`UPDATE sessions SET user_agent = ${firefox} WHERE account_id =
      (SELECT id FROM accounts WHERE email = ${email})`
    await again(email)
    const sessions = await list(ask)
    const times = { createdAt: expect.any(String), lastUsedAt: expect.any(String) }
    const id = expect.stringMatching(/^ses_\w{27}$/)
    expect(sessions).toEqual([
      { id, browser: 'Firefox on Linux', isCurrent: true, ...times },
      { id, browser: expect.any(String), isCurrent: false, ...times },
    ])
    const stored = await db.session.findUniqueOrThrow({ where: { id: sessions[0].id } })
    const hash = Buffer.from(stored.tokenHash)
    const token = cookie.split('=')[1] ?? ''
    for (const secret of [token, hash.toString('hex'), hash.toString('base64url')])
      expect(JSON.stringify([sessions, service.log])).not.toContain(secret)
  })

  test('are returned in pages, without sessions that were not used for 30 days', async () => {
    const { ask, ids } = await withThreeSessions()
    const page = async (args: string) =>
      (
        await ask(
          `{ viewer { sessions(${args}) { edges { cursor node { id } } pageInfo { hasNextPage } } } }`,
        )
      ).data.viewer.sessions
    const { edges, pageInfo } = await page('first: 2')
    expect(pageInfo).toEqual({ hasNextPage: true })
    const rest = await page(`after: "${edges[1].cursor}"`)
    expect([...edges, ...rest.edges].map(({ node }) => node.id)).toEqual(ids)
    await operator.db.$executeRaw`
      UPDATE sessions SET last_used_at = now() - interval '31 days' WHERE id = ${ids[1]}`
    expect(await idsOf(ask)).toEqual([ids[0], ids[2]])
    expect(codesOf(await ask('{ viewer { sessions(first: 101) { nodes { id } } } }'))).toEqual([
      'INVALID_INPUT',
    ])
  })

  test('are null for every token, and so is hasPassword', async () => {
    const person = await signedIn(service, world, 'member')
    for (const token of await tokensOf(person)) {
      const answer = await service.graphql(token, '{ viewer { hasPassword sessions { nodes { id } } } }')
      expect(answer).toEqual({ data: { viewer: { hasPassword: null, sessions: null } } })
    }
  })
})

test('hasPassword says whether the person has set a password', async () => {
  const { ask, cookie } = await signedIn(service, world, 'member')
  const hasPassword = async () => (await ask('{ viewer { hasPassword } }')).data.viewer.hasPassword
  expect(await hasPassword()).toBe(false)
  const password = 'winter-morning-bread'
  await postForm(service, '/account/password', { password }, { cookie, ...sameOrigin })
  expect(await hasPassword()).toBe(true)
})

describe('endSession', () => {
  test('ends another session, whose next request is refused', async () => {
    const { ask, second, third, ids } = await withThreeSessions()
    expect(await end(ask, ids[1])).toEqual({ data: { endSession: { removedSessionID: ids[1] } } })
    expect([await works(ask), await works(second), await works(third)]).toEqual([true, false, true])
    expect(codesOf(await second('{ me { id } }'))).toEqual(['UNAUTHENTICATED'])
    expect(await idsOf(ask)).toEqual([ids[0], ids[2]])
    expect(codesOf(await end(ask, ids[1]))).toEqual(['NOT_FOUND'])
  })

  test('can end the session of the request, and then the account page redirects to the sign-in page', async () => {
    const { ask, cookie, ids } = await withThreeSessions()
    expect(await end(ask, ids[0])).toEqual({ data: { endSession: { removedSessionID: ids[0] } } })
    expect(codesOf(await ask('{ me { id } }'))).toEqual(['UNAUTHENTICATED'])
    const page = await service.app.inject({ url: '/account', headers: { cookie } })
    expect([page.statusCode, page.headers.location]).toEqual([303, '/signin'])
  })

  test.each(['', '\0'])('refuses the ID %j', async (sessionID) => {
    const { errors } = await end((await signedIn(service, world, 'member')).ask, sessionID)
    expect(errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', errors: [{ field: 'sessionID' }] } },
    ])
  })

  test('gives the same answer for a session of another account as for a session that does not exist', async () => {
    const { ask: owner, ids } = await withThreeSessions()
    const admin = await signedIn(service, world, 'admin')
    const stranger = await signedIn(service, await makeWorld(service), 'admin')
    for (const { ask } of [admin, stranger]) {
      const [hidden, missing] = [await end(ask, ids[0]), await end(ask, unknown)]
      expect(codesOf(hidden)).toEqual(['NOT_FOUND'])
      expect(hidden.errors?.map(({ message }) => message)).toEqual(
        missing.errors?.map(({ message }) => message),
      )
      await endOthers(ask)
    }
    expect(await idsOf(owner)).toEqual(ids)
  })
})

describe('endOtherSessions', () => {
  test('ends all sessions of the account except the session of the request, and can be repeated', async () => {
    const { ask, second, third, ids } = await withThreeSessions()
    const { data } = await endOthers(second)
    expect(data.endOtherSessions.removedSessionIDs.toSorted()).toEqual([ids[0], ids[2]].toSorted())
    expect([await works(ask), await works(second), await works(third)]).toEqual([false, true, false])
    expect(await endOthers(second)).toEqual({ data: { endOtherSessions: { removedSessionIDs: [] } } })
  })

  test('ends the sessions in all workspaces of the account', async () => {
    const { ask, email } = await signedIn(service, world, 'member')
    const other = await makeWorld(service)
    const cookie = await signIn(service, operator, email)
    await createPerson(other.operator, { workspaceID: other.workspaceID, name: 'There', email })
    const there = await signIn(service, operator, email)
    await endOthers(ask)
    for (const ended of [cookie, there])
      expect(
        codesOf(await graphqlAs(service, { cookie: ended, workspaceID: other.workspaceID }, '{ me { id } }')),
      ).toEqual(['UNAUTHENTICATED'])
  })
})

test('a request with a token, or without a session, cannot end a session', async () => {
  const person = await signedIn(service, world, 'member')
  const ids = await idsOf(person.ask)
  for (const token of await tokensOf(person)) {
    const asToken: Ask = (query, variables) => service.graphql(token, query, variables)
    expect(codesOf(await end(asToken, ids[0]))).toEqual(['FORBIDDEN'])
    expect(codesOf(await endOthers(asToken))).toEqual(['FORBIDDEN'])
    // An invalid ID is refused with the same code.
    expect(codesOf(await end(asToken, ''))).toEqual(['FORBIDDEN'])
  }
  const asOperator: Ask = (query, variables) => service.graphql(operatorToken, query, variables)
  expect(codesOf(await end(asOperator, ids[0]))).toEqual(['FORBIDDEN'])
  const noCookie: Ask = (query, variables) =>
    graphqlAs(service, { cookie: '', workspaceID }, query, variables)
  expect(codesOf(await end(noCookie, ids[0]))).toEqual(['UNAUTHENTICATED'])
  expect(codesOf(await endOthers(noCookie))).toEqual(['UNAUTHENTICATED'])
  expect(await idsOf(person.ask)).toEqual(ids)
})

test('a page of another site cannot end a session', async () => {
  const { ask, cookie } = await signedIn(service, world, 'member')
  const payload = { query: endOthersMutation }
  const headers = { cookie, 'skein-workspace': workspaceID, 'sec-fetch-site': 'cross-site' }
  const answer = await service.app.inject({ method: 'POST', url: '/public/graphql', headers, payload })
  expect(answer.statusCode).toBe(403)
  expect(await works(ask)).toBe(true)
})

/** Returns a personal access token, a token of an app that acts as the person, and a token of an app user. */
async function tokensOf(person: { cookie: string; ask: Ask }): Promise<string[]> {
  const { data } = await person.ask(mutation('createPersonalAccessToken', 'accessToken'), {
    input: { name: 'Script', scopes: ['workspaces:write'], expiresInDays: 1 },
  })
  const robot = await makeClient(world, { scopes: [] })
  const consenter = { ...person, workspaceID }
  const userTokens = await tokensFrom(service, consenter, robot, { act_as: 'user' })
  return [data.createPersonalAccessToken.accessToken, userTokens.access_token, world.app.token]
}

test('a session ends when its time is over, although it is used', async () => {
  const { ask, ids } = await withThreeSessions()
  const lasts = await operator.db.$queryRaw<{ days: number }[]>`
    SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::integer AS days FROM sessions WHERE id = ANY (${ids})`
  expect(new Set(lasts.map(({ days }) => days))).toEqual(new Set([180]))
  expect(await works(ask)).toBe(true)
  await operator.db.$executeRaw`UPDATE sessions SET expires_at = now() WHERE id = ANY (${ids})`
  expect(await works(ask)).toBe(false)
})
