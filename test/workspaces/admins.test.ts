import { describe, expect, test } from 'vitest'
import type { Scope } from '../../src/scopes.ts'
import { createPerson } from '../../src/workspaces/users/create-person.ts'
import { graphqlAs, signIn } from '../support/browser-session.ts'
import { makeApp, makeWorld, type World } from '../support/factories.ts'
import { giveRole } from '../support/roles.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
let number = 0

/** Returns a person of the world with a session, as a function that sends GraphQL requests. */
async function signedIn({ operator, workspaceID, generalGroupID }: World, role: 'admin' | 'member') {
  number += 1
  const email = `${role}${number}@example.com`
  const { id } = await createPerson(operator, { workspaceID, name: `Person ${number}`, email })
  await giveRole(operator, { workspaceID, groupID: generalGroupID, userID: id, role })
  const cookie = await signIn(service, operator, email)
  const ask = (query: string, variables?: object) =>
    graphqlAs(service, { cookie, workspaceID }, query, variables)
  return { id, email, cookie, ask }
}

const mutation = (name: string, selection: string) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  return `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
}
const update = mutation('updateWorkspace', 'workspace { name avatarURL customAppsEnabled }')
const create = mutation('createUser', 'user { id name kind }')
const change = mutation('updateUser', 'user { id name email }')
const remove = mutation('deleteUser', 'user { id deletedAt }')
const forbidden = [{ extensions: { code: 'FORBIDDEN' } }]
const notFound = [{ extensions: { code: 'NOT_FOUND' } }]

describe('an admin of the workspace', () => {
  test('changes its name, picture and whether apps can be created, but not the email domain', async () => {
    const world = await makeWorld(service)
    const { workspaceID } = world
    const admin = await signedIn(world, 'admin')
    const fields = { name: 'New name', avatarURL: 'https://example.com/a.png', customAppsEnabled: false }
    const { data } = await admin.ask(update, { input: { workspaceID, ...fields } })
    expect(data.updateWorkspace.workspace).toEqual(fields)
    const domain = await admin.ask(update, { input: { workspaceID, emailDomain: 'evil.example' } })
    expect(domain.errors).toMatchObject(forbidden)
  })

  test('creates, renames and deletes people', async () => {
    const world = await makeWorld(service)
    const { workspaceID } = world
    const admin = await signedIn(world, 'admin')
    const { data } = await admin.ask(create, {
      input: { workspaceID, name: 'Linus', email: 'linus@example.com' },
    })
    const { id } = data.createUser.user
    const renamed = await admin.ask(change, {
      input: { userID: id, name: 'Torvalds', email: 'new@example.com' },
    })
    expect(renamed.data.updateUser.user).toEqual({ id, name: 'Torvalds', email: 'new@example.com' })
    const deleted = await admin.ask(remove, { input: { userID: id } })
    expect(deleted.data.deleteUser.user).toEqual({ id, deletedAt: expect.any(String) })
  })

  test('cannot change an address that signs in, but the operator can, who ends the link', async () => {
    const world = await makeWorld(service)
    const [admin, member] = [await signedIn(world, 'admin'), await signedIn(world, 'member')]
    const input = { userID: member.id, email: 'admins-own@example.com' }
    expect((await admin.ask(change, { input })).errors).toMatchObject(forbidden)
    expect((await member.ask('{ me { id } }')).errors).toBeUndefined()
    expect((await service.graphql(operatorToken, change, { input })).errors).toBeUndefined()
    expect((await member.ask('{ me { id } }')).errors).toMatchObject(forbidden)
  })

  test('has no rights in another workspace', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const admin = await signedIn(world, 'admin')
    const { workspaceID } = other
    for (const answer of [
      await admin.ask(update, { input: { workspaceID, name: 'Mine' } }),
      await admin.ask(create, { input: { workspaceID, name: 'Spy' } }),
      await admin.ask(change, { input: { userID: other.ada.id, name: 'Mine' } }),
      await admin.ask(remove, { input: { userID: other.ada.id } }),
    ]) {
      expect(answer.errors).toMatchObject(notFound)
    }
  })

  test('needs the scope workspaces:write with a token', async () => {
    const world = await makeWorld(service)
    const { workspaceID, operator, generalGroupID: groupID } = world
    const tokenWith = async (scopes: Scope[]) => {
      const app = await makeApp(service, operator, workspaceID, scopes)
      await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'admin' })
      return app.token
    }
    const input = { workspaceID, name: 'By an app' }
    const allowed = await service.graphql(await tokenWith(['workspaces:write']), update, { input })
    expect(allowed.data.updateWorkspace.workspace.name).toBe('By an app')
    const refused = await service.graphql(await tokenWith(['workspaces:read']), update, { input })
    expect(refused.errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE' } }])
  })
})

describe('the last admin', () => {
  test('cannot be demoted or deleted, except by the operator', async () => {
    const world = await makeWorld(service)
    const admin = await signedIn(world, 'admin')
    const conflict = [{ extensions: { code: 'CONFLICT', reason: 'ONLY_ADMIN' } }]
    const demote = mutation('updateMember', 'memberEdge { role }')
    const demotion = { input: { groupID: world.workspaceID, userID: admin.id, role: 'member' } }
    expect((await admin.ask(demote, demotion)).errors).toMatchObject(conflict)
    expect((await admin.ask(remove, { input: { userID: admin.id } })).errors).toMatchObject(conflict)
    expect((await admin.ask('{ viewer { workspaceRole } }')).data.viewer.workspaceRole).toBe('admin')
    expect(
      (await service.graphql(operatorToken, remove, { input: { userID: admin.id } })).errors,
    ).toBeUndefined()
  })

  test('stays if two admins delete each other at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const world = await makeWorld(service)
      const [one, other] = [await signedIn(world, 'admin'), await signedIn(world, 'admin')]
      await Promise.all([
        one.ask(remove, { input: { userID: other.id } }),
        other.ask(remove, { input: { userID: one.id } }),
      ])
      const { workspaceID, generalGroupID: groupID, operator } = world
      const left = await operator.db.groupMember.count({ where: { workspaceID, groupID, role: 'admin' } })
      expect(left).toBe(1)
    }
  })
})

describe('a member', () => {
  test('renames only themselves', async () => {
    const world = await makeWorld(service)
    const { workspaceID } = world
    const member = await signedIn(world, 'member')
    const own = await member.ask(change, { input: { userID: member.id, name: 'Me' } })
    expect(own.data.updateUser.user.name).toBe('Me')
    for (const answer of [
      await member.ask(change, { input: { userID: member.id, email: 'x@example.com' } }),
      await member.ask(change, { input: { userID: world.ada.id, name: 'Not me' } }),
      await member.ask(update, { input: { workspaceID, name: 'Mine' } }),
      await member.ask(create, { input: { workspaceID, name: 'Friend' } }),
      await member.ask(remove, { input: { userID: world.ada.id } }),
    ]) {
      expect(answer.errors).toMatchObject(forbidden)
    }
    expect((await member.ask('{ viewer { workspaceRole } }')).data.viewer.workspaceRole).toBe('member')
  })
})
