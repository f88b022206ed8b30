import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { rolesIn } from '../groups/cast.ts'
import { cookieOf, graphqlAs, joinBy, postForm } from '../support/browser-session.ts'
import { makeWorld, say, type World } from '../support/factories.ts'
import { mutate, mutated, mutation } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()
let people = 0

const operate = (name: string, input: object) =>
  mutated(service, operatorToken, name, input, 'user { id email deletedAt }')
const invite = ({ workspaceID, email }: World & { email: string }, input: object = {}) =>
  mutate(service, operatorToken, 'inviteUser', { workspaceID, email, ...input }, 'user { id } invitationURL')

/** Creates Bob, who has written a message in a DM, and deletes him. */
async function withBobDeleted() {
  const world = await makeWorld(service)
  const { workspaceID, ada, as } = world
  people += 1
  const email = `bob-${people}@example.com`
  const input = { workspaceID, name: 'Bob', email: `Bob-${people}@example.com` }
  const { user: bob } = await operate('createUser', input)
  const { thread } = await say(as(bob.id), [ada.id], 'Only for Ada')
  await operate('deleteUser', { userID: bob.id })
  return { ...world, email, bobID: bob.id as string, threadID: thread.id }
}

describe('an invitation to the address of a deleted person', () => {
  test('is refused, and the admin restores the person or invites a new one', async () => {
    const world = await withBobDeleted()
    expect((await invite(world)).errors).toMatchObject([
      {
        message: expect.stringContaining('is the address of Bob'),
        extensions: { code: 'CONFLICT', reason: 'DEACTIVATED', errors: [{ field: 'email' }] },
      },
    ])
    await operate('restoreUser', { userID: world.bobID })
    expect((await invite(world)).data.inviteUser.user.id).toBe(world.bobID)
  })

  test('creates a new person if asNewPerson is true, and this person cannot read the DMs of the deleted person', async () => {
    const world = await withBobDeleted()
    const { workspaceID, threadID } = world
    const { user, invitationURL } = (await invite(world, { asNewPerson: true })).data.inviteUser
    expect(user.id).not.toBe(world.bobID)
    const cookie = cookieOf(await joinBy(service, new URL(invitationURL).pathname))
    const seen = await graphqlAs(service, { cookie, workspaceID }, '{ me { id } threads { nodes { id } } }')
    expect(seen.data.me.id).toBe(user.id)
    expect(seen.data.threads.nodes).not.toContainEqual({ id: threadID })
    const input = { userID: world.bobID }
    const refused = await mutate(service, operatorToken, 'restoreUser', input, 'user { id }')
    expect(refused.errors).toMatchObject([{ extensions: { code: 'CONFLICT', reason: 'EMAIL_TAKEN' } }])
  })
})

describe('restoreUser', () => {
  test('gives the person back with their messages and DMs', async () => {
    const world = await withBobDeleted()
    const { workspaceID, threadID, bobID } = world
    expect((await operate('restoreUser', { userID: bobID })).user).toMatchObject({
      id: bobID,
      deletedAt: null,
    })
    const { invitationURL } = (await invite(world)).data.inviteUser
    const cookie = cookieOf(await joinBy(service, new URL(invitationURL).pathname))
    const query = `{ me { id } thread(id: "${threadID}") { messages { nodes { text user { id } } } } }`
    const { data } = await graphqlAs(service, { cookie, workspaceID }, query)
    expect(data.me.id).toBe(bobID)
    expect(data.thread.messages.nodes).toEqual([{ text: 'Only for Ada', user: { id: bobID } }])
  })

  test('adds the person to those former groups that are public now, as a member', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, generalGroupID, publicGroup, privateGroup, ada } = world
    const create = async (name: string) => {
      const input = { workspaceID, name }
      return (await mutated(service, operatorToken, 'createGroup', input, 'group { id }')).group.id as string
    }
    const [hidden, other] = [await create('Hidden later'), await create('Never joined')]
    await addMembers(operator, { groupID: hidden, userIDs: [ada.id] })
    const roles = { groupID: publicGroup.id, userID: ada.id, role: 'admin' }
    await mutated(service, operatorToken, 'updateMember', roles, 'memberEdge { role }')
    await operate('deleteUser', { userID: ada.id })
    await updateGroup(operator, { groupID: hidden, isPrivate: true })
    await operate('restoreUser', { userID: ada.id })
    const roleIn = async (groupID: string) => (await rolesIn(world, groupID))[ada.id]
    expect(await roleIn(publicGroup.id)).toBe('member')
    expect(await roleIn(generalGroupID)).toBe('member')
    for (const groupID of [privateGroup.id, hidden, other]) expect(await roleIn(groupID)).toBeUndefined()
  })

  test('does not make earlier tokens valid again', async () => {
    const world = await makeWorld(service)
    const { workspaceID } = world
    const person = await signedIn(service, world, 'member')
    const token = mutation('createPersonalAccessToken', 'accessToken')
    const scopes = { input: { name: 'Script', scopes: ['workspaces:read'], expiresInDays: 1 } }
    const { accessToken } = (await person.ask(token, scopes)).data.createPersonalAccessToken
    await operate('deleteUser', { userID: person.id })
    await operate('restoreUser', { userID: person.id })
    const link = (await mutated(service, operatorToken, 'createSignInLink', { email: person.email }, 'url'))
      .url
    const cookie = cookieOf(await postForm(service, new URL(link).pathname))
    const { data } = await graphqlAs(service, { cookie, workspaceID }, '{ me { id } }')
    expect(data.me.id).toBe(person.id)
    const { errors } = await service.graphql(accessToken, '{ me { id } }')
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test('can be repeated, also at the same time', async () => {
    const { bobID } = await withBobDeleted()
    const restore = () => operate('restoreUser', { userID: bobID })
    const answers = await Promise.all(Array.from({ length: 6 }, restore))
    expect(new Set(answers.map(({ user }) => `${user.id} ${user.deletedAt}`))).toEqual(
      new Set([`${bobID} null`]),
    )
  })

  test('is refused for a member, a user of an app, and an unknown user', async () => {
    const world = await withBobDeleted()
    const member = await signedIn(service, world, 'member')
    const restore = mutation('restoreUser', 'user { id }')
    expect((await member.ask(restore, { input: { userID: world.bobID } })).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ])
    for (const [userID, code] of [
      [world.app.userID, 'CONFLICT'],
      ['usr_000000000000000000000000000', 'NOT_FOUND'],
    ]) {
      const { errors } = await service.graphql(operatorToken, restore, { input: { userID } })
      expect(errors).toMatchObject([{ extensions: { code } }])
    }
  })
})

test('a workspace lists the deleted people apart from the users', async () => {
  const { workspaceID, bobID, email } = await withBobDeleted()
  const query = `query ($id: ID!) { workspace(id: $id) {
    users { nodes { id } } deleted: users(deleted: true) { nodes { id email } } } }`
  const { workspace } = (await service.graphql(operatorToken, query, { id: workspaceID })).data
  expect(workspace.users.nodes).not.toContainEqual({ id: bobID })
  expect(workspace.deleted.nodes).toEqual([{ id: bobID, email: email.replace('bob', 'Bob') }])
})
