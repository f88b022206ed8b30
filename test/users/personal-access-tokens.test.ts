import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import { createOperatorToken } from '../../src/accounts/operator-tokens/operator-tokens.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { updatePerson } from '../../src/workspaces/users/update-person.ts'
import { cookieOf, graphqlAs, joinBy, signIn } from '../support/browser-session.ts'
import { driveStatements } from '../support/driven-statements.ts'
import { makeWorld } from '../support/factories.ts'
import { mutate, mutation } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService()
const world = await makeWorld(service)
const { db } = world.operator
const fields = 'id name scopes createdAt expiresAt lastUsedAt'
const input = { name: 'Script', scopes: ['workspaces:read', 'groups:read'], expiresInDays: 7 }

const create = (ask: Ask, change: object = {}) =>
  ask(mutation('createPersonalAccessToken', `accessToken personalAccessToken { ${fields} }`), {
    input: { ...input, ...change },
  })
const revoke = (ask: Ask, personalAccessTokenID: string) =>
  ask(mutation('revokePersonalAccessToken', 'removedPersonalAccessTokenID'), {
    input: { personalAccessTokenID },
  })
const list = async (ask: Ask) =>
  (await ask(`{ viewer { personalAccessTokens { nodes { ${fields} } } } }`)).data.viewer.personalAccessTokens
    .nodes

/** Creates a token for a new member. */
async function makeToken(change: object = {}) {
  const person = await signedIn(service, world, 'member')
  const { data } = await create(person.ask, change)
  const { accessToken, personalAccessToken } = data.createPersonalAccessToken
  const asToken = (query: string) => service.graphql(accessToken, query)
  return { ...person, accessToken, personalAccessToken, asToken }
}

describe('a personal access token', () => {
  test('acts as the person, with its scopes only', async () => {
    const { id, asToken } = await makeToken()
    const { data } = await asToken(
      '{ me { id } viewer { scopes installation { id } } groups { nodes { id } } }',
    )
    expect(data.me.id).toBe(id)
    expect(data.viewer).toEqual({ scopes: input.scopes, installation: null })
    expect(data.groups.nodes).not.toEqual([])
    const refused = await asToken('{ threads { nodes { id } } }')
    expect(refused.errors).toMatchObject([
      { extensions: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'threads:read' } },
    ])
  })

  test('is listed with the time of its last use, without the secret', async () => {
    const { ask, accessToken, personalAccessToken, asToken } = await makeToken()
    const { createdAt, expiresAt, ...rest } = personalAccessToken
    expect(rest).toEqual({
      id: expect.stringMatching(/^pat_/),
      name: input.name,
      scopes: input.scopes,
      lastUsedAt: null,
    })
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 60 * 60 * 1000)
    await asToken('{ me { id } }')
    expect(await list(ask)).toEqual([{ ...personalAccessToken, lastUsedAt: expect.any(String) }])
    const stored = await db.personalAccessToken.findFirstOrThrow({ where: { id: personalAccessToken.id } })
    expect(Buffer.from(stored.tokenHash)).toEqual(createHash('sha256').update(accessToken).digest())
    expect(JSON.stringify([stored, service.log])).not.toContain(accessToken)
  })

  test.each([
    ['is revoked', async ({ ask, personalAccessToken }) => revoke(ask, personalAccessToken.id)],
    ['expires', async () => db.$executeRaw`UPDATE personal_access_tokens SET expires_at = now()`],
    ['belongs to a removed person', async ({ id }) => deletePerson(world.operator, { userID: id })],
    [
      'belongs to a person who got a new address, and the owner of this address has signed in',
      async ({ id }) => {
        const email = `new-${id}@example.com`
        await updatePerson(world.operator, { userID: id, email })
        await signIn(service, world.operator, email)
      },
    ],
    [
      'belongs to a deactivated account',
      async ({ email }) => db.account.update({ where: { email }, data: { deactivatedAt: new Date() } }),
    ],
  ] as [
    string,
    (made: Awaited<ReturnType<typeof makeToken>>) => Promise<unknown>,
  ][])('is refused in the next request if it %s', async (_what, end) => {
    const made = await makeToken()
    expect(codesOf(await made.asToken('{ me { id } }'))).toEqual([])
    await end(made)
    expect(codesOf(await made.asToken('{ me { id } }'))).toEqual(['UNAUTHENTICATED'])
  })

  test('is refused if somebody else created it before the owner of the address signed in', async () => {
    const { workspaceID } = world
    const email = 'late-owner@example.com'
    const { id } = await createPerson(world.operator, { workspaceID, name: 'Late', email })
    const path = await createSignInLink(db, { email, workspaceID, provesEmail: false })
    const cookie = cookieOf(await joinBy(service, path))
    const { data } = await create((query, variables) =>
      graphqlAs(service, { cookie, workspaceID }, query, variables),
    )
    const { accessToken } = data.createPersonalAccessToken
    const me = async () => (await service.graphql(accessToken, '{ me { id } }')).data?.me?.id
    expect(await me()).toBe(id)
    await signIn(service, world.operator, email)
    expect(await me()).toBe(undefined)
  })

  test('begins with skpt_ and 43 characters', async () => {
    const { accessToken } = await makeToken()
    expect(accessToken).toMatch(/^skpt_[\w-]{43}$/)
  })

  test('from before the prefix works until it expires', async () => {
    const { id, personalAccessToken } = await makeToken()
    const token = randomBytes(32).toString('hex')
    await db.$executeRaw`
      UPDATE personal_access_tokens SET token_hash = ${createHash('sha256').update(token).digest()}
      WHERE id = ${personalAccessToken.id}`
    expect((await service.graphql(token, '{ me { id } }')).data.me.id).toBe(id)
    await db.$executeRaw`UPDATE personal_access_tokens SET expires_at = now() WHERE id = ${personalAccessToken.id}`
    expect(codesOf(await service.graphql(token, '{ me { id } }'))).toEqual(['UNAUTHENTICATED'])
  })

  test('of an admin administers the workspace only with the scope workspaces:write', async () => {
    const { ask } = await signedIn(service, world, 'admin')
    for (const [scopes, codes] of [
      [['workspaces:write'], []],
      [['workspaces:read'], ['INSUFFICIENT_SCOPE']],
    ]) {
      const { data } = await create(ask, { scopes })
      const { accessToken } = data.createPersonalAccessToken
      const change = { workspaceID: world.workspaceID, customAppsEnabled: true }
      const answer = await mutate(service, accessToken, 'updateWorkspace', change, 'workspace { id }')
      expect(codesOf(answer)).toEqual(codes)
    }
  })
})

test('each token is looked up once, in the table of its kind', async () => {
  const operatorInput = { name: 'Look-ups', expiresInDays: 1 }
  const { token } = await createOperatorToken(world.operator, operatorInput)
  const { accessToken } = await makeToken()
  const tables: (string | undefined)[] = []
  driveStatements(db, (driver) => (...statement) => {
    if (statement[0].includes('token_hash = decode')) tables.push(/FROM (\w+_tokens)/.exec(statement[0])?.[1])
    return driver(...statement)
  })
  const unknown = '0'.repeat(43)
  for (const [credential, table] of [
    [world.app.token, 'access_tokens'],
    [accessToken, 'personal_access_tokens'],
    [`skpt_${unknown}`, 'personal_access_tokens'],
    [token, 'operator_tokens'],
    [`skop_${unknown}`, 'operator_tokens'],
  ] as const) {
    await service.graphql(credential, '{ __typename }')
    expect({ credential, tables: tables.splice(0) }).toEqual({ credential, tables: [table] })
  }
})

describe('createPersonalAccessToken', () => {
  test.each([
    [{ name: ' ' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ expiresInDays: 0 }, 'expiresInDays'],
    [{ expiresInDays: 367 }, 'expiresInDays'],
  ])('refuses %j', async (change, field) => {
    const { ask } = await signedIn(service, world, 'member')
    const { errors } = await create(ask, change)
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', errors: [{ field }] } }])
  })

  test('creates at most 50 tokens, also for concurrent calls', async () => {
    const { ask } = await signedIn(service, world, 'member')
    for (let count = 0; count < 45; count += 1) await create(ask)
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(ask)))
    const refused = answers.flatMap(codesOf)
    expect(refused).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT'])
    expect(await list(ask)).toHaveLength(50)
  })

  test('is refused with any token, and so is revokePersonalAccessToken', async () => {
    const { accessToken, personalAccessToken, ask } = await makeToken({ scopes: ['workspaces:write'] })
    for (const token of [accessToken, world.app.token, operatorToken]) {
      const asToken: Ask = (query, variables) => service.graphql(token, query, variables)
      expect(codesOf(await create(asToken))).toEqual(['FORBIDDEN'])
      expect(codesOf(await revoke(asToken, personalAccessToken.id))).toEqual(['FORBIDDEN'])
    }
    const { data } = await service.graphql(
      accessToken,
      '{ viewer { personalAccessTokens { nodes { id } } } }',
    )
    expect(data.viewer.personalAccessTokens).toBe(null)
    expect(await list(ask)).toHaveLength(1)
  })
})

test('other people can neither see nor revoke a token', async () => {
  const { personalAccessToken, ask } = await makeToken()
  const other = await signedIn(service, world, 'admin')
  expect(await list(other.ask)).toEqual([])
  const hidden = await revoke(other.ask, personalAccessToken.id)
  const missing = await revoke(other.ask, 'pat_000000000000000000000000000')
  expect(codesOf(hidden)).toEqual(['NOT_FOUND'])
  expect(hidden.errors?.map(({ message }) => message)).toEqual(missing.errors?.map(({ message }) => message))
  expect(await list(ask)).toHaveLength(1)
})
