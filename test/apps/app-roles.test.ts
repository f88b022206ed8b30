import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/apps/create-app.ts'
import { grantAccess } from '../../src/apps/grants/grant-access.ts'
import { findGrantableApp } from '../../src/apps/grants/grantable.ts'
import { installApp } from '../../src/apps/installations/install-app.ts'
import { defaultScopes, type Scope } from '../../src/scopes.ts'
import { updateWorkspace } from '../../src/workspaces/update-workspace.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, redirectURI, requestToken, tokenForm, type World } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { type GraphQLAnswer, operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService()

const create = mutation(
  'createApp',
  'app { id name isListed creator { id } } clientSecret installation { id scopes user { id } }',
)
const update = mutation('updateApp', 'app { name isListed }')
const rotate = mutation('rotateClientSecret', 'clientSecret')
const install = mutation('installApp', 'installation { scopes app { name creator { id } } }')
const uninstall = mutation('uninstallApp', 'app { id }')
const revoke = mutation('revokeAccessTokens', 'revokedCount')
const remove = mutation('deleteApp', 'app { deletedAt }')
const lists =
  'query ($id: ID!) { workspace(id: $id) { apps { nodes { id } } installations { nodes { app { id } } } } }'
const node = 'query ($id: ID!) { node(id: $id) { id } }'
const forbidden = [{ extensions: { code: 'FORBIDDEN' } }]
const notFound = [{ extensions: { code: 'NOT_FOUND' } }]

/** Creates a world in which members may create apps. */
async function makeOpenWorld() {
  const world = await makeWorld(service)
  const { operator, workspaceID } = world
  await updateWorkspace(operator, { workspaceID, membersMayCreateApps: true })
  return world
}

/** Creates an app with the credentials of a caller. */
async function made(ask: Ask, { workspaceID }: World, more: object = {}) {
  const { data, errors } = await ask(create, {
    input: { workspaceID, name: 'Bot', redirectURIs: [redirectURI], ...more },
  })
  expect(errors).toBeUndefined()
  return data.createApp
}

async function listsOf(ask: Ask, { workspaceID }: World) {
  const { apps, installations } = (await ask(lists, { id: workspaceID })).data.workspace
  const appIDs: string[] = apps.nodes.map(({ id }: { id: string }) => id)
  const installed: string[] = installations.nodes.map(({ app }: { app: { id: string } }) => app.id)
  return { apps: appIDs, installed }
}

/** Sends each mutation for an app that exists, and returns the answers. */
async function changesOf(ask: Ask, workspaceID: string, appID: string): Promise<GraphQLAnswer[]> {
  const answers = [
    await ask(update, { input: { appID, name: 'Mine' } }),
    await ask(rotate, { input: { appID } }),
    await ask(install, { input: { workspaceID, appID, scopes: ['groups:read'] } }),
    await ask(revoke, { input: { workspaceID, appID } }),
    await ask(uninstall, { input: { workspaceID, appID } }),
  ]
  return [...answers, await ask(remove, { input: { appID } })]
}

describe('an admin of the workspace', () => {
  test('creates an app whose token works, and is its creator', async () => {
    const world = await makeWorld(service)
    const { workspaceID } = world
    const admin = await signedIn(service, world, 'admin')
    const scopes = ['groups:read', 'workspaces:write']
    const { app, clientSecret, installation } = await made(admin.ask, world, { scopes, isListed: true })
    expect(app).toMatchObject({ isListed: true, creator: { id: admin.id } })
    expect(installation.scopes).toEqual(scopes)
    const form = tokenForm({ workspaceID, clientID: app.id, clientSecret })
    expect((await requestToken(service, form)).statusCode).toBe(200)
  })

  test('sees and manages the apps of the operator and of others', async () => {
    const world = await makeOpenWorld()
    const [admin, member] = [
      await signedIn(service, world, 'admin'),
      await signedIn(service, world, 'member'),
    ]
    const { app, installation } = await made(member.ask, world)
    const all = [world.app.id, app.id]
    expect(await listsOf(admin.ask, world)).toEqual({ apps: all, installed: all })
    for (const id of [world.app.id, installation.id])
      expect((await admin.ask(node, { id })).data.node).toEqual({ id })
    for (const appID of all) {
      for (const { errors } of await changesOf(admin.ask, world.workspaceID, appID))
        expect(errors).toBeUndefined()
    }
    expect(await listsOf(admin.ask, world)).toEqual({ apps: [], installed: [] })
  })

  test('installs an app of another workspace if it is listed or already installed, and does not see its creator', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const { workspaceID, operator } = world
    const [admin, stranger] = [
      await signedIn(service, world, 'admin'),
      await signedIn(service, other, 'admin'),
    ]
    const { app } = await made(stranger.ask, other)
    const input = { workspaceID, appID: app.id, scopes: ['groups:read'] }
    expect((await admin.ask(install, { input })).errors).toMatchObject(notFound)
    await stranger.ask(update, { input: { appID: app.id, isListed: true } })
    const { data } = await admin.ask(install, { input })
    expect(data.installApp.installation).toEqual({
      scopes: ['groups:read'],
      app: { name: 'Bot', creator: null },
    })
    await stranger.ask(update, { input: { appID: app.id, isListed: false } })
    const fewer = await admin.ask(install, { input: { ...input, scopes: [] } })
    expect(fewer.data.installApp.installation.scopes).toEqual([])
    expect(await listsOf(admin.ask, world)).toEqual({
      apps: [world.app.id],
      installed: [world.app.id, app.id],
    })
    expect((await admin.ask(update, { input: { appID: app.id, name: 'Mine' } })).errors).toMatchObject(
      notFound,
    )
    expect((await admin.ask(uninstall, { input: { workspaceID, appID: app.id } })).errors).toBeUndefined()
    expect((await admin.ask(install, { input })).errors).toMatchObject(notFound)
    expect(await installApp(operator, input)).toMatchObject({ appID: app.id })
  })

  test('cannot install or uninstall an app in another workspace', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const admin = await signedIn(service, world, 'admin')
    for (const appID of [world.app.id, other.app.id]) {
      const input = { workspaceID: other.workspaceID, appID }
      for (const query of [install, uninstall, revoke])
        expect((await admin.ask(query, { input })).errors).toMatchObject(notFound)
    }
  })

  test('can grant only scopes that the token has, if the admin uses a token', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, generalGroupID: groupID } = world
    const askAs = async (scopes: Scope[]): Promise<Ask> => {
      const { token, userID } = await makeApp(service, operator, workspaceID, scopes)
      await giveRole(operator, { workspaceID, groupID, userID, role: 'admin' })
      return (query, variables) => service.graphql(token, query, variables)
    }
    const input = { workspaceID, name: 'Bot', redirectURIs: [redirectURI] }
    const few = await askAs(['apps:write', 'groups:read'])
    const { installation } = await made(few, world, { scopes: ['groups:read'] })
    expect(installation.scopes).toEqual(['groups:read'])
    for (const scopes of [undefined, ['threads:read']]) {
      const answer = await few(create, { input: { ...input, scopes } })
      expect(answer.errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE' } }])
    }
    const wider = await few(install, {
      input: { workspaceID, appID: world.app.id, scopes: ['threads:read'] },
    })
    expect(wider.errors).toMatchObject([
      { extensions: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'threads:read' } },
    ])
    const rotated = await few(rotate, { input: { appID: world.app.id } })
    expect(rotated.errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE' } }])
    const none = await askAs(['apps:read'])
    expect((await none(create, { input })).errors).toMatchObject([
      { extensions: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'apps:write' } },
    ])
  })
})

test('an OAuth token that acts as an admin has the rights of the admin, within its own scopes', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, generalGroupID: groupID, app } = world
  const { id: userID } = await signedIn(service, world, 'admin')
  const person = await operator.db.user.findFirstOrThrow({ where: { workspaceID, id: userID } })
  const session = await operator.db.session.findFirstOrThrow({ where: { accountID: person.accountID ?? '' } })
  const grantable = await findGrantableApp(operator.db, app.id)
  if (!grantable) throw new Error('The app must exist')
  const code = await grantAccess(operator, grantable, {
    session: { ...session, email: '' },
    workspaceID,
    scopes: ['apps:read', 'apps:write', 'workspaces:read'],
    actsAsUser: true,
    redirectURI,
    codeChallenge: undefined,
  })
  const { client_id = '', client_secret = '' } = app.form
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectURI, client_id, client_secret }
  const { access_token: token } = (await requestToken(service, form)).json()
  const ask: Ask = (query, variables) => service.graphql(token, query, variables)
  const { app: bot } = await made(ask, world, { scopes: ['workspaces:read'] })
  expect(bot.creator).toEqual({ id: userID })
  expect((await listsOf(ask, world)).apps).toEqual([app.id, bot.id])
  await giveRole(operator, { workspaceID, groupID, userID, role: 'member' })
  expect((await listsOf(ask, world)).apps).toEqual([])
  expect((await ask(remove, { input: { appID: bot.id } })).errors).toMatchObject(notFound)
})

describe('a member', () => {
  test('creates no app unless the workspace allows it', async () => {
    const world = await makeWorld(service)
    const member = await signedIn(service, world, 'member')
    const input = { workspaceID: world.workspaceID, name: 'Bot', redirectURIs: [redirectURI] }
    expect((await member.ask(create, { input })).errors).toMatchObject(forbidden)
    expect(await listsOf(member.ask, world)).toEqual({ apps: [], installed: [] })
  })

  test('creates, sees, changes and deletes their own app if the workspace allows it', async () => {
    const world = await makeOpenWorld()
    const member = await signedIn(service, world, 'member')
    const { app, installation } = await made(member.ask, world)
    expect(app.creator).toEqual({ id: member.id })
    expect(installation.scopes).toEqual(defaultScopes)
    expect(await listsOf(member.ask, world)).toEqual({ apps: [app.id], installed: [app.id] })
    for (const id of [app.id, installation.id])
      expect((await member.ask(node, { id })).data.node).toEqual({ id })
    const renamed = await member.ask(update, { input: { appID: app.id, name: 'Mine' } })
    expect(renamed.data.updateApp.app.name).toBe('Mine')
    const rotated = await member.ask(rotate, { input: { appID: app.id } })
    expect(rotated.data.rotateClientSecret.clientSecret).toMatch(/^[\w-]{32,}$/)
    expect((await member.ask(remove, { input: { appID: app.id } })).errors).toBeUndefined()
  })

  test('cannot make an app listed, or grant it more than the default scopes', async () => {
    const world = await makeOpenWorld()
    const { workspaceID } = world
    const member = await signedIn(service, world, 'member')
    const input = { workspaceID, name: 'Bot', redirectURIs: [redirectURI] }
    const { app } = await made(member.ask, world, { scopes: ['threads.messages:read'] })
    for (const answer of [
      await member.ask(create, { input: { ...input, isListed: true } }),
      await member.ask(create, { input: { ...input, scopes: ['groups:write'] } }),
      await member.ask(update, { input: { appID: app.id, isListed: true } }),
      await member.ask(install, { input: { workspaceID, appID: app.id, scopes: ['groups:read'] } }),
      await member.ask(revoke, { input: { workspaceID, appID: app.id } }),
      await member.ask(uninstall, { input: { workspaceID, appID: app.id } }),
    ])
      expect(answer.errors).toMatchObject(forbidden)
  })

  test('neither sees nor changes the apps of others', async () => {
    const world = await makeOpenWorld()
    const [member, other] = [
      await signedIn(service, world, 'member'),
      await signedIn(service, world, 'member'),
    ]
    const { app, installation } = await made(other.ask, world)
    for (const appID of [world.app.id, app.id]) {
      expect((await member.ask(update, { input: { appID, name: 'Mine' } })).errors).toMatchObject(notFound)
      expect((await member.ask(rotate, { input: { appID } })).errors).toMatchObject(notFound)
      expect((await member.ask(remove, { input: { appID } })).errors).toMatchObject(notFound)
    }
    expect(await listsOf(member.ask, world)).toEqual({ apps: [], installed: [] })
    for (const id of [app.id, installation.id])
      expect(await member.ask(node, { id })).toEqual({ data: { node: null } })
  })

  test.each([
    'the setting is turned off',
    'they are demoted',
    'they are deactivated',
  ])('loses the right with the next request when %s', async (event) => {
    const world = event.startsWith('the setting') ? await makeOpenWorld() : await makeWorld(service)
    const { operator, workspaceID, generalGroupID: groupID } = world
    const caller = await signedIn(service, world, event.startsWith('the setting') ? 'member' : 'admin')
    const { app } = await made(caller.ask, world)
    if (event.startsWith('the setting'))
      await updateWorkspace(operator, { workspaceID, membersMayCreateApps: false })
    else if (event.endsWith('demoted'))
      await giveRole(operator, { workspaceID, groupID, userID: caller.id, role: 'member' })
    else await deletePerson(operator, { userID: caller.id })
    for (const { data, errors } of await changesOf(caller.ask, workspaceID, app.id)) {
      expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([])
      expect(['NOT_FOUND', 'FORBIDDEN']).toContain(errors?.[0]?.extensions.code)
    }
    const admin = await signedIn(service, world, 'admin')
    expect((await listsOf(admin.ask, world)).apps).toEqual([world.app.id, app.id])
  })

  test('creates no app after the setting is turned off, even by calls that began before', async () => {
    const world = await makeOpenWorld()
    const { operator, workspaceID } = world
    const member = await signedIn(service, world, 'member')
    const input = { workspaceID, name: 'Bot', redirectURIs: [redirectURI] }
    const calls = Array.from({ length: 20 }, () => member.ask(create, { input }))
    await updateWorkspace(operator, { workspaceID, membersMayCreateApps: false })
    const count = () => operator.db.app.count({ where: { workspaceID, creatorID: member.id } })
    const then = await count()
    const answers = await Promise.all(calls)
    expect(await count()).toBe(then)
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(then)
  })

  test('must be a person: an app user cannot create an app', async () => {
    const { app, workspaceID } = await makeOpenWorld()
    const input = { workspaceID, name: 'Bot', redirectURIs: [redirectURI] }
    expect((await service.graphql(app.token, create, { input })).errors).toMatchObject(forbidden)
  })
})

describe('an app user that is the only admin', () => {
  const conflict = [{ extensions: { code: 'CONFLICT', reason: 'ONLY_ADMIN' } }]

  test('is not removed with its app, except by the operator', async () => {
    const world = await makeOpenWorld()
    const { operator, workspaceID, generalGroupID: groupID } = world
    const member = await signedIn(service, world, 'member')
    const { app, installation } = await made(member.ask, world)
    await giveRole(operator, { workspaceID, groupID, userID: installation.user.id, role: 'admin' })
    const input = { appID: app.id }
    expect((await member.ask(remove, { input })).errors).toMatchObject(conflict)
    expect((await member.ask(node, { id: installation.id })).data.node).not.toBeNull()
    await giveRole(operator, { workspaceID, groupID, userID: installation.user.id, role: 'member' })
    await giveRole(operator, { workspaceID, groupID, userID: world.app.userID, role: 'admin' })
    const own = { workspaceID, appID: world.app.id }
    expect((await service.graphql(world.app.token, uninstall, { input: own })).errors).toMatchObject(conflict)
    expect((await service.graphql(operatorToken, uninstall, { input: own })).errors).toBeUndefined()
    expect((await member.ask(remove, { input })).errors).toBeUndefined()
  })

  test('of another workspace does not prevent the deletion of its app', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const { app } = world
    const there = await installApp(other.operator, { workspaceID: other.workspaceID, appID: app.id })
    const groupID = other.generalGroupID
    await giveRole(other.operator, {
      workspaceID: other.workspaceID,
      groupID,
      userID: there.userID,
      role: 'admin',
    })
    const admin = await signedIn(service, world, 'admin')
    expect((await admin.ask(remove, { input: { appID: app.id } })).errors).toBeUndefined()
  })
})

test('if an app user and another admin remove each other at the same time, one of them remains an admin', async () => {
  for (let round = 0; round < 3; round += 1) {
    const world = await makeWorld(service)
    const { operator, workspaceID, generalGroupID: groupID, app } = world
    const admin = await signedIn(service, world, 'admin')
    await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'admin' })
    await Promise.all([
      admin.ask(remove, { input: { appID: app.id } }),
      service.graphql(app.token, mutation('deleteUser', 'user { id }'), { input: { userID: admin.id } }),
    ])
    expect(await operator.db.groupMember.count({ where: { workspaceID, groupID, role: 'admin' } })).toBe(1)
  }
})

test('an app that the operator creates has no creator', async () => {
  const { operator, workspaceID } = await makeWorld(service)
  const { app } = await createApp(operator, { workspaceID, name: 'Bot', redirectURIs: [redirectURI] })
  expect(app.creatorID).toBeNull()
})
