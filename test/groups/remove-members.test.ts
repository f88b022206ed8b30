import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { newID } from '../../src/platform/ids.ts'
import { makeApp, makeWorld, say } from '../support/factories.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { makeCast, makePersons, makeWorkspaceAdmin, refusalOf, rolesIn, unknownGroup } from './cast.ts'

const service = await startService()
const fields = `group { id memberCount } removedGroupID removedUserIDs
  promotedMemberEdge { role node { id } }`

describe('removeMembers', () => {
  test('lets an admin remove members, and ignores users who are not members', async () => {
    const { change, admin, member, stranger, groupID } = await makeCast(service)
    const named = [member.userID, stranger.userID, newID('usr')]
    const input = { groupID, userIDs: [...named, member.userID] }
    for (const _ of [1, 2]) {
      const { data } = await change(admin.token, 'removeMembers', input, fields)
      expect(data.removeMembers).toEqual({
        group: { id: groupID, memberCount: 1 },
        removedGroupID: null,
        removedUserIDs: named,
        promotedMemberEdge: null,
      })
    }
  })

  test('hides a private group and its threads from a removed member immediately', async () => {
    const { change, admin, member, groupID, as } = await makeCast(service, { isPrivate: true })
    const { thread } = await say(as(admin.userID), [groupID], 'x', 'Plans')
    const chat = await say(as(admin.userID), [groupID], 'x')
    const look = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } threads { nodes { id } } }'
    const ids = [groupID, thread.id, chat.thread.id]
    const before = await service.graphql(member.token, look, { ids })
    expect([before.data.nodes.length, before.data.threads.nodes.length]).toEqual([3, 2])
    const send = { threadID: thread.id, message: { text: 'x' } }
    const toGroup = { thread: { recipients: [groupID] }, message: { text: 'x' } }
    for (const input of [send, toGroup]) {
      expect(codesOf(await change(member.token, 'sendMessage', input))).toEqual([])
    }
    await change(admin.token, 'removeMembers', { groupID, userIDs: [member.userID] })
    for (const input of [send, toGroup]) {
      expect(codesOf(await change(member.token, 'sendMessage', input))).toEqual(['NOT_FOUND'])
    }
    const after = await service.graphql(member.token, look, { ids })
    expect(after.data).toEqual({ nodes: [null, null, null], threads: { nodes: [] } })
  })

  test('lets an admin remove itself, and another member becomes admin', async () => {
    const { change, admin, member, groupID } = await makeCast(service, { isPrivate: true })
    const input = { groupID, userIDs: [admin.userID] }
    const { data } = await change(admin.token, 'removeMembers', input, fields)
    expect(data.removeMembers).toEqual({
      group: null,
      removedGroupID: groupID,
      removedUserIDs: [admin.userID],
      promotedMemberEdge: null,
    })
    const look = 'query ($id: ID!) { group(id: $id) { viewerRole } }'
    const { group } = (await service.graphql(member.token, look, { id: groupID })).data
    expect(group.viewerRole).toBe('admin')
  })

  test('works for the operator, and for workspace admins in visible groups', async () => {
    const cast = await makeCast(service)
    const { change, admin, stranger, member, groupID, ada } = cast
    await makeWorkspaceAdmin(cast, stranger)
    const byAdmin = await change(
      stranger.token,
      'removeMembers',
      { groupID, userIDs: [admin.userID] },
      fields,
    )
    expect(byAdmin.data.removeMembers).toMatchObject({
      group: { memberCount: 1 },
      promotedMemberEdge: { role: 'admin', node: { id: member.userID } },
    })
    const input = { groupID, userIDs: [member.userID, ada.id] }
    const byOperator = await change(operatorToken, 'removeMembers', input, fields)
    expect(byOperator.data.removeMembers.group.memberCount).toBe(0)
  })

  test('returns FORBIDDEN to members, and to other users who can see the group', async () => {
    const cast = await makeCast(service)
    const { change, admin, member, stranger, groupID } = cast
    for (const { token, userID } of [member, stranger]) {
      for (const userIDs of [[admin.userID], [userID]]) {
        const answer = await change(token, 'removeMembers', { groupID, userIDs })
        expect([answer.data, codesOf(answer)]).toEqual([{ removeMembers: null }, ['FORBIDDEN']])
      }
    }
    expect(Object.keys(await rolesIn(cast, groupID))).toHaveLength(2)
  })

  test('does not remove users from the General group', async () => {
    const cast = await makeCast(service)
    const { change, admin, workspaceID, generalGroupID, ada } = cast
    await makeWorkspaceAdmin(cast, admin)
    for (const token of [admin.token, operatorToken]) {
      for (const groupID of [workspaceID, generalGroupID]) {
        const input = { groupID, userIDs: [ada.id] }
        expect(refusalOf(await change(token, 'removeMembers', input))).toEqual(['groupID'])
      }
    }
    expect((await rolesIn(cast, generalGroupID))[ada.id]).toBe('member')
  })

  test('refuses an empty list and more than 100 users', async () => {
    const { change, admin, groupID, ada } = await makeCast(service)
    for (const userIDs of [[], Array(101).fill(ada.id)]) {
      const answer = await change(admin.token, 'removeMembers', { groupID, userIDs })
      expect(refusalOf(answer)).toEqual(['userIDs'])
    }
  })

  test('returns NOT_FOUND for a group that the caller cannot see', async () => {
    const [cast, other] = [await makeCast(service), await makeWorld(service)]
    const { change, admin, privateGroup, ada } = cast
    for (const groupID of [unknownGroup(), privateGroup.id, other.publicGroup.id, other.workspaceID]) {
      const answer = await change(admin.token, 'removeMembers', { groupID, userIDs: [ada.id] })
      expect([answer.data, codesOf(answer)]).toEqual([{ removeMembers: null }, ['NOT_FOUND']])
    }
    const input = { groupID: unknownGroup(), userIDs: [ada.id] }
    expect(codesOf(await change(operatorToken, 'removeMembers', input))).toEqual(['NOT_FOUND'])
  })

  test('needs a token with groups:write', async () => {
    const { change, operator, workspaceID, groupID, ada } = await makeCast(service)
    const reader = await makeApp(service, operator, workspaceID, ['groups:read'])
    const input = { groupID, userIDs: [ada.id] }
    expect(codesOf(await change(reader.token, 'removeMembers', input))).toEqual(['INSUFFICIENT_SCOPE'])
    expect(codesOf(await change('none', 'removeMembers', input))).toEqual(['UNAUTHENTICATED'])
  })

  test('succeeds for only one of two admins who remove each other at once', async () => {
    const cast = await makeCast(service)
    const { change, as, admin, member, groupID } = cast
    for (let round = 0; round < 10; round += 1) {
      for (const { userID } of [admin, member]) {
        await addMembers(cast.operator, { groupID, userIDs: [userID] })
        await change(operatorToken, 'updateMember', { groupID, userID, role: 'admin' })
      }
      const outcomes = await Promise.allSettled([
        removeMembers(as(admin.userID), { groupID, userIDs: [member.userID] }),
        removeMembers(as(member.userID), { groupID, userIDs: [admin.userID] }),
      ])
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
      expect(failures).toMatchObject([{ reason: { code: 'forbidden' } }])
      expect(Object.values(await rolesIn(cast, groupID))).toEqual(['admin'])
    }
  })

  test('removes all or none of the given users if others add them at the same time', async () => {
    const cast = await makeCast(service)
    const { as, admin, member, groupID } = cast
    const userIDs = (await makePersons(cast, 20)).map(({ id }) => id)
    const input = { groupID, userIDs }
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 ? addMembers(as(member.userID), input) : removeMembers(as(admin.userID), input),
      ),
    )
    const count = Object.keys(await rolesIn(cast, groupID)).length
    expect([2, 22]).toContain(count)
    await removeMembers(as(admin.userID), input)
    expect(Object.keys(await rolesIn(cast, groupID))).toHaveLength(2)
  })
})
