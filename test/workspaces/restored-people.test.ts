import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { rolesIn } from '../groups/cast.ts'
import { cookieOf, postForm } from '../support/browser-session.ts'
import { makeClient, makeConsenter, refresh, tokensFrom, userOfToken } from '../support/consent.ts'
import { makeApp, makeWorld, type World } from '../support/factories.ts'
import { mutate, mutated, mutation } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()

const operate = (name: string, input: object) => mutated(service, operatorToken, name, input, 'user { id }')

async function deleteAndRestore(userID: string): Promise<void> {
  await operate('deleteUser', { userID })
  await operate('restoreUser', { userID })
}

/** Signs in somebody with a link that the operator creates. */
async function signInAgain(email: string): Promise<string> {
  const { url } = await mutated(service, operatorToken, 'createSignInLink', { email }, 'url')
  return cookieOf(await postForm(service, new URL(url).pathname))
}

async function eventsOf({ app }: World) {
  const types = '[userUpdated, membersAdded]'
  const query = `{ events(first: 100, types: ${types}) { nodes { type objectID userIDs } } }`
  const { data } = await service.graphql(app.token, query)
  return data.events.nodes as { type: string; objectID: string; userIDs: string[] | null }[]
}

describe('a restored person', () => {
  test('is announced by one event for the person and one for each group, and a repetition adds none', async () => {
    const world = await makeWorld(service)
    const { ada, publicGroup } = world
    const earlier = (await eventsOf(world)).length
    await deleteAndRestore(ada.id)
    await operate('restoreUser', { userID: ada.id })
    const events = (await eventsOf(world)).slice(earlier)
    expect(events).toHaveLength(2)
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'userUpdated', objectID: ada.id }),
        { type: 'membersAdded', objectID: publicGroup.id, userIDs: [ada.id] },
      ]),
    )
  })

  test('joins a former group that has become public, but no group that they left before', async () => {
    const world = await makeWorld(service)
    const { operator, ada, publicGroup, privateGroup } = world
    await operate('deleteUser', { userID: ada.id })
    await updateGroup(operator, { groupID: privateGroup.id, isPrivate: false })
    await operate('restoreUser', { userID: ada.id })
    const roleIn = async (groupID: string) => (await rolesIn(world, groupID))[ada.id]
    expect([await roleIn(publicGroup.id), await roleIn(privateGroup.id)]).toEqual(['member', 'member'])
    await removeMembers(operator, { groupID: publicGroup.id, userIDs: [ada.id] })
    await deleteAndRestore(ada.id)
    expect([await roleIn(publicGroup.id), await roleIn(privateGroup.id)]).toEqual([undefined, 'member'])
  })

  test('must allow an app again to act for them', async () => {
    const world = await makeWorld(service)
    const client = await makeClient(world, { scopes: ['workspaces:read'] })
    const asUser = { act_as: 'user' }
    const person = await makeConsenter(service, world, 'member')
    const tokens = await tokensFrom(service, person, client, asUser)
    expect(await userOfToken(service, tokens.access_token)).toBe(person.id)
    await deleteAndRestore(person.id)
    const cookie = await signInAgain(person.email)
    expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
    expect((await refresh(service, client, tokens.refresh_token)).json()).toMatchObject({
      error: 'invalid_grant',
    })
    const again = await tokensFrom(service, { ...person, cookie }, client, asUser)
    expect(await userOfToken(service, again.access_token)).toBe(person.id)
  })

  test('keeps the tokens from after the restore if the restore is repeated', async () => {
    const world = await makeWorld(service)
    const person = await signedIn(service, world, 'member')
    await deleteAndRestore(person.id)
    await signInAgain(person.email)
    const scopes = { input: { name: 'Script', scopes: ['workspaces:read'], expiresInDays: 1 } }
    const { data } = await person.ask(mutation('createPersonalAccessToken', 'accessToken'), scopes)
    await operate('restoreUser', { userID: person.id })
    expect(await userOfToken(service, data.createPersonalAccessToken.accessToken)).toBe(person.id)
  })
})

test('a session from before the deletion shows nothing until the person signs in again', async () => {
  const world = await makeWorld(service)
  const person = await signedIn(service, world, 'member')
  await deleteAndRestore(person.id)
  expect((await person.ask('{ me { id } }')).data?.me?.id).toBeUndefined()
  await signInAgain(person.email)
  expect((await person.ask('{ me { id } }')).data.me.id).toBe(person.id)
})

test('a refused invitation names the person who was deleted last', async () => {
  const { workspaceID } = await makeWorld(service)
  const email = 'passed-on@example.com'
  const ids: string[] = []
  for (const name of ['Zoe', 'Amy', 'Kim']) {
    const { user } = await operate('createUser', { workspaceID, name, email })
    await operate('deleteUser', { userID: user.id })
    ids.push(user.id)
  }
  const invite = () => mutate(service, operatorToken, 'inviteUser', { workspaceID, email }, 'user { id }')
  expect((await invite()).errors?.[0]?.message).toContain('address of Kim')
  await operate('restoreUser', { userID: ids[0] ?? '' })
  await operate('deleteUser', { userID: ids[0] ?? '' })
  expect((await invite()).errors?.[0]?.message).toContain('address of Zoe')
})

test('an admin cannot restore a person of another workspace, and an app needs the scope workspaces:write', async () => {
  const [world, other] = [await makeWorld(service), await makeWorld(service)]
  const admin = await signedIn(service, other, 'admin')
  await operate('deleteUser', { userID: world.ada.id })
  const restore = mutation('restoreUser', 'user { id }')
  const input = { userID: world.ada.id }
  expect((await admin.ask(restore, { input })).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  const blind = await makeApp(service, world.operator, world.workspaceID, ['workspaces:read'])
  expect((await mutate(service, blind.token, 'restoreUser', input, 'user { id }')).errors).toMatchObject([
    { extensions: { code: 'INSUFFICIENT_SCOPE' } },
  ])
})

test('the user of an app that is installed again joins no former group', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, app, publicGroup } = world
  await addMembers(operator, { groupID: publicGroup.id, userIDs: [app.userID] })
  const input = { workspaceID, appID: app.id }
  await mutated(service, operatorToken, 'uninstallApp', input, 'app { id }')
  await mutated(service, operatorToken, 'installApp', input, 'installation { user { id } }')
  expect((await rolesIn(world, publicGroup.id))[app.userID]).toBeUndefined()
})
