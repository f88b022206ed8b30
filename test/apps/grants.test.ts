import { describe, expect, test } from 'vitest'
import { uninstallApp } from '../../src/apps/installations/uninstall-app.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { graphqlAs, signIn } from '../support/browser-session.ts'
import {
  codeFrom,
  errorOf,
  makeClient,
  makeConsenter,
  refresh,
  tokensFrom,
  userOfToken,
} from '../support/consent.ts'
import { makeWorld, type World } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import type { Ask } from '../support/signed-in.ts'

const service = await startService({ TOKEN_RATE_PER_MINUTE: '100000' })
const world = await makeWorld(service)
const { operator, workspaceID } = world
const robot = await makeClient(world, { scopes: ['groups:read'] })
const asUser = { act_as: 'user', scope: 'workspaces:read groups:read' }
const unknown = `grt_${'0'.repeat(27)}`

const revoke = (ask: Ask, grantID: string) =>
  ask(mutation('revokeGrant', 'removedGrantID'), { input: { grantID } })
const fields = 'id appID appName workspace { workspaceID name } scopes createdAt lastTokenAt'
const list = async (ask: Ask) =>
  (await ask(`{ viewer { grants { nodes { ${fields} } } } }`)).data.viewer.grants.nodes

/** Returns a new person who let the app act as them. */
async function withGrant(at: World = world, app = robot) {
  const person = await makeConsenter(service, at, 'member')
  const tokens = await tokensFrom(service, person, app, asUser)
  const [grant] = await list(person.ask)
  return { ...person, tokens, grant }
}

describe('the grants of the viewer', () => {
  test('name the app, the workspace, the scopes and the times', async () => {
    const { ask, tokens, grant } = await withGrant()
    const { name } = await operator.db.workspace.findUniqueOrThrow({ where: { id: workspaceID } })
    expect(grant).toEqual({
      id: expect.stringMatching(/^grt_\w{27}$/),
      appID: robot.id,
      appName: 'Robot',
      workspace: { workspaceID, name },
      scopes: ['workspaces:read', 'groups:read'],
      createdAt: expect.any(String),
      lastTokenAt: expect.any(String),
    })
    await operator.db.$executeRaw`
      UPDATE grants SET created_at = created_at - interval '2 days', expires_at = expires_at - interval '1 day'
      WHERE id = ${grant.id}`
    const [earlier] = await list(ask)
    expect(Date.parse(grant.lastTokenAt) - Date.parse(earlier.lastTokenAt)).toBe(24 * 60 * 60 * 1000)
    await refresh(service, robot, tokens.refresh_token)
    const [refreshed] = await list(ask)
    expect(Date.parse(refreshed.lastTokenAt)).toBeGreaterThan(Date.parse(earlier.lastTokenAt))
  })

  test('come from all workspaces of the account, in pages', async () => {
    const { ask, email, grant } = await withGrant()
    const other = await makeWorld(service)
    await createPerson(other.operator, { workspaceID: other.workspaceID, name: 'There', email })
    const cookie = await signIn(service, operator, email)
    const there = { cookie, workspaceID: other.workspaceID }
    await tokensFrom(service, there, await makeClient(other), asUser)
    const nodes = await list(ask)
    expect(nodes).toMatchObject([{ id: grant.id }, { workspace: { workspaceID: other.workspaceID } }])
    const askThere: Ask = (query, variables) => graphqlAs(service, there, query, variables)
    expect(await list(askThere)).toEqual(nodes)
    const { data } = await ask('{ viewer { grants(last: 1) { nodes { id } pageInfo { hasPreviousPage } } } }')
    expect(data.viewer.grants).toEqual({ nodes: [{ id: nodes[1].id }], pageInfo: { hasPreviousPage: true } })
    expect(codesOf(await ask('{ viewer { grants(first: -1) { nodes { id } } } }'))).toEqual(['INVALID_INPUT'])
  })

  test('do not contain unused codes, grants of app users, or grants of uninstalled apps', async () => {
    const app = await makeClient(world)
    const admin = await makeConsenter(service, world)
    await codeFrom(service, admin, app, asUser)
    await tokensFrom(service, admin, app)
    expect(await list(admin.ask)).toEqual([])
    await tokensFrom(service, admin, app, asUser)
    expect(await list(admin.ask)).toHaveLength(1)
    await uninstallApp(operator, { workspaceID, appID: app.id })
    expect(await list(admin.ask)).toEqual([])
  })
})

describe('revokeGrant', () => {
  test('makes all tokens of the grant invalid immediately, and keeps other grants', async () => {
    const { id, ask, tokens, grant, ...person } = await withGrant()
    const kept = await tokensFrom(service, person, robot, asUser)
    expect(await revoke(ask, grant.id)).toEqual({ data: { revokeGrant: { removedGrantID: grant.id } } })
    expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
    expect(errorOf(await refresh(service, robot, tokens.refresh_token))).toEqual([400, 'invalid_grant'])
    expect(await userOfToken(service, kept.access_token)).toBe(id)
    expect(await list(ask)).toHaveLength(1)
    expect(codesOf(await revoke(ask, grant.id))).toEqual(['NOT_FOUND'])
  })

  test('revokes a grant in another workspace of the account', async () => {
    const { email, ask } = await makeConsenter(service, world, 'member')
    const other = await makeWorld(service)
    await createPerson(other.operator, { workspaceID: other.workspaceID, name: 'There', email })
    const there = { cookie: await signIn(service, operator, email), workspaceID: other.workspaceID }
    const tokens = await tokensFrom(service, there, await makeClient(other), asUser)
    const [grant] = await list(ask)
    expect(codesOf(await revoke(ask, grant.id))).toEqual([])
    expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
  })

  test.each(['', '\0'])('refuses the ID %j', async (grantID) => {
    const { errors } = await revoke((await makeConsenter(service, world, 'member')).ask, grantID)
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', errors: [{ field: 'grantID' }] } }])
  })

  test('is refused with any token, and without a session', async () => {
    const { ask, tokens, grant } = await withGrant()
    const { data } = await ask(mutation('createPersonalAccessToken', 'accessToken'), {
      input: { name: 'Script', scopes: ['workspaces:write'], expiresInDays: 1 },
    })
    const { accessToken } = data.createPersonalAccessToken
    for (const token of [accessToken, tokens.access_token, world.app.token, operatorToken]) {
      const asToken: Ask = (query, variables) => service.graphql(token, query, variables)
      expect(codesOf(await revoke(asToken, grant.id))).toEqual(['FORBIDDEN'])
      const { viewer } = (await asToken('{ viewer { grants { nodes { id } } } }')).data
      expect(viewer).toEqual(token === operatorToken ? null : { grants: null })
    }
    const noCookie: Ask = (query, variables) =>
      graphqlAs(service, { cookie: '', workspaceID }, query, variables)
    expect(codesOf(await revoke(noCookie, grant.id))).toEqual(['UNAUTHENTICATED'])
    expect(await list(ask)).toEqual([grant])
  })

  test('returns the same NOT_FOUND for the grant of another person and for an unknown grant', async () => {
    const { ask, tokens, grant, id } = await withGrant()
    const appGrant = await withAppGrant()
    const others = [
      await makeConsenter(service, world),
      await makeConsenter(service, await makeWorld(service)),
    ]
    for (const other of others) {
      const missing = await revoke(other.ask, unknown)
      for (const grantID of [grant.id, appGrant]) {
        const hidden = await revoke(other.ask, grantID)
        expect(codesOf(hidden)).toEqual(['NOT_FOUND'])
        expect(hidden.errors?.[0]?.message).toBe(missing.errors?.[0]?.message)
      }
      expect(await list(other.ask)).toEqual([])
    }
    expect(await userOfToken(service, tokens.access_token)).toBe(id)
    expect(await list(ask)).toEqual([grant])
  })
})

/** Returns the ID of a grant whose tokens act as the app user. */
async function withAppGrant(): Promise<string> {
  const admin = await makeConsenter(service, world)
  await tokensFrom(service, admin, robot)
  const { id } = await operator.db.grant.findFirstOrThrow({ where: { userID: admin.id } })
  expect(codesOf(await revoke(admin.ask, id))).toEqual(['NOT_FOUND'])
  return id
}
