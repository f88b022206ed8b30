import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { joinGroup } from '../../src/groups/members/join-group.ts'
import { leaveGroup } from '../../src/groups/members/remove-members.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, say } from '../support/factories.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { type Cast, makeCast, makePersons, refusalOf, rolesIn, unknownGroup } from './cast.ts'

const service = await startService()
const fields = `group { id viewerRole memberCount } removedGroupID removedUserID
  promotedMemberEdge { cursor role node { id } }`

/** Adds users one after the other, because the order in which they join matters. */
async function addInTurn({ operator, groupID }: Cast, ...userIDs: string[]): Promise<void> {
  for (const userID of userIDs) {
    await addMembers(operator, { groupID, userIDs: [userID] })
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

describe('leaveGroup', () => {
  test('removes the caller, and returns the same payload when it is called again', async () => {
    const { change, member, groupID } = await makeCast(service)
    const left = {
      group: { id: groupID, viewerRole: null, memberCount: 1 },
      removedGroupID: null,
      removedUserID: member.userID,
      promotedMemberEdge: null,
    }
    for (const _ of [1, 2]) {
      expect((await change(member.token, 'leaveGroup', { groupID }, fields)).data.leaveGroup).toEqual(left)
    }
  })

  test('hides a private group and its threads immediately, and then returns NOT_FOUND', async () => {
    const { change, member, admin, groupID, as } = await makeCast(service, { isPrivate: true })
    const { thread, message } = await say(as(admin.userID), [groupID], 'x', 'Plans')
    const look = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'
    const ids = [groupID, thread.id, message.id]
    expect((await service.graphql(member.token, look, { ids })).data.nodes).not.toContain(null)
    const { data } = await change(member.token, 'leaveGroup', { groupID }, fields)
    expect(data.leaveGroup).toEqual({
      group: null,
      removedGroupID: groupID,
      removedUserID: member.userID,
      promotedMemberEdge: null,
    })
    expect((await service.graphql(member.token, look, { ids })).data.nodes).toEqual([null, null, null])
    expect(codesOf(await change(member.token, 'leaveGroup', { groupID }))).toEqual(['NOT_FOUND'])
  })

  test('refuses the General group and an empty ID', async () => {
    const { change, member, workspaceID, generalGroupID } = await makeCast(service)
    for (const groupID of [workspaceID, generalGroupID, '']) {
      const answer = await change(member.token, 'leaveGroup', { groupID })
      expect([answer.data, refusalOf(answer)]).toEqual([{ leaveGroup: null }, ['groupID']])
    }
  })

  test('returns NOT_FOUND for a group that the caller cannot see', async () => {
    const [cast, other] = [await makeCast(service, { isPrivate: true }), await makeWorld(service)]
    for (const groupID of [cast.groupID, unknownGroup(), other.publicGroup.id, other.workspaceID]) {
      const answer = await cast.change(cast.stranger.token, 'leaveGroup', { groupID })
      expect([answer.data, codesOf(answer)]).toEqual([{ leaveGroup: null }, ['NOT_FOUND']])
    }
  })

  test('needs a token with groups:write, and is not available to the operator', async () => {
    const { change, operator, workspaceID, groupID } = await makeCast(service)
    const reader = await makeApp(service, operator, workspaceID, ['groups:read'])
    expect(codesOf(await change(reader.token, 'leaveGroup', { groupID }))).toEqual(['INSUFFICIENT_SCOPE'])
    expect(codesOf(await change('none', 'leaveGroup', { groupID }))).toEqual(['UNAUTHENTICATED'])
    expect(codesOf(await change(operatorToken, 'leaveGroup', { groupID }))).toEqual(['FORBIDDEN'])
  })
})

describe('when the last admin leaves', () => {
  test('the person who joined first becomes admin', async () => {
    const cast = await makeCast(service)
    const { change, admin, member, groupID, ada, grace, webhook } = cast
    await addInTurn(cast, webhook.userID, grace.id, ada.id)
    const { data } = await change(admin.token, 'leaveGroup', { groupID }, fields)
    expect(data.leaveGroup).toMatchObject({
      group: { viewerRole: null, memberCount: 4 },
      promotedMemberEdge: { role: 'admin', node: { id: grace.id } },
    })
    expect(await rolesIn(cast, groupID)).toEqual({
      [grace.id]: 'admin',
      [ada.id]: 'member',
      [member.userID]: 'member',
      [webhook.userID]: 'member',
    })
  })

  test('an app becomes admin if there is no person, and a webhook never does', async () => {
    const cast = await makeCast(service, { isPrivate: true })
    const { change, admin, member, groupID, webhook } = cast
    await addInTurn(cast, webhook.userID)
    await change(admin.token, 'leaveGroup', { groupID })
    expect(await rolesIn(cast, groupID)).toEqual({ [member.userID]: 'admin', [webhook.userID]: 'member' })
    await change(member.token, 'leaveGroup', { groupID })
    expect(await rolesIn(cast, groupID)).toEqual({ [webhook.userID]: 'member' })
  })

  test('the next member becomes admin even if the admin does not leave but is deleted', async () => {
    const cast = await makeCast(service)
    const { as, operator, workspaceID, groupID, admin, ada, grace, change } = cast
    await addInTurn(cast, ada.id, grace.id)
    await leaveGroup(as(admin.userID), { groupID })
    expect((await rolesIn(cast, groupID))[ada.id]).toBe('admin')
    await deletePerson(operator, { userID: ada.id })
    expect((await rolesIn(cast, groupID))[grace.id]).toBe('admin')
    await change(operatorToken, 'uninstallApp', { workspaceID, appID: cast.member.id })
    expect(await rolesIn(cast, groupID)).toEqual({ [grace.id]: 'admin' })
  })

  test('nobody becomes admin if there is another admin', async () => {
    const cast = await makeCast(service)
    const { as, admin, member, groupID, ada, change } = cast
    await addInTurn(cast, ada.id)
    await leaveGroup(as(member.userID), { groupID })
    expect(await rolesIn(cast, groupID)).toEqual({ [admin.userID]: 'admin', [ada.id]: 'member' })
    await addInTurn(cast, member.userID)
    const input = { groupID, userID: member.userID, role: 'admin' }
    await change(operatorToken, 'updateMember', input)
    await leaveGroup(as(admin.userID), { groupID })
    expect(await rolesIn(cast, groupID)).toEqual({ [member.userID]: 'admin', [ada.id]: 'member' })
  })

  test('nobody becomes admin in a group that had no admin', async () => {
    const cast = await makeCast(service)
    const { as, publicGroup, ada, grace } = cast
    await leaveGroup(as(ada.id), { groupID: publicGroup.id })
    expect(await rolesIn(cast, publicGroup.id)).toEqual({ [grace.id]: 'member' })
  })

  test('the only remaining user becomes admin if many others leave or are deleted at once', async () => {
    const cast = await makeCast(service)
    const { as, operator, groupID, admin, member } = cast
    const persons = await makePersons(cast, 30)
    const [stays, ...others] = persons.map(({ id }) => id)
    await addMembers(operator, { groupID, userIDs: persons.map(({ id }) => id) })
    await Promise.all([
      ...[...others.slice(0, 15), admin.userID, member.userID].map((id) => leaveGroup(as(id), { groupID })),
      ...others.slice(15).map((userID) => deletePerson(operator, { userID })),
    ])
    expect(await rolesIn(cast, groupID)).toEqual({ [stays ?? '']: 'admin' })
  })

  test('exactly one member becomes admin if many join at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const cast = await makeCast(service)
      const { as, groupID, admin } = cast
      const persons = await makePersons(cast, 10)
      await Promise.all([
        ...persons.map(({ id }) => joinGroup(as(id), { groupID })),
        leaveGroup(as(admin.userID), { groupID }),
      ])
      const roles = Object.values(await rolesIn(cast, groupID))
      expect(roles).toHaveLength(11)
      expect(roles.filter((role) => role === 'admin')).toHaveLength(1)
    }
  })
})
