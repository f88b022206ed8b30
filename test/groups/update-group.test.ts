import { describe, expect, test } from 'vitest'
import { joinGroup } from '../../src/groups/members/join-group.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { makeWorld, say } from '../support/factories.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { makeCast, makePersons, makeWorkspaceAdmin, refusalOf, rolesIn, unknownGroup } from './cast.ts'

const service = await startService()
const fields = 'group { id name description isPrivate viewerRole }'

describe('updateGroup', () => {
  test('lets an admin of the group change the given fields', async () => {
    const { change, admin, groupID } = await makeCast(service)
    const update = async (input: object) => {
      const answer = await change(admin.token, 'updateGroup', { groupID, ...input }, fields)
      return answer.data.updateGroup.group
    }
    const group = {
      id: groupID,
      name: 'Team',
      description: 'All of it',
      isPrivate: false,
      viewerRole: 'admin',
    }
    expect(await update({ name: 'Team', description: 'All of it' })).toEqual(group)
    expect(await update({ name: null, isPrivate: true, description: null })).toEqual({
      ...group,
      description: null,
      isPrivate: true,
    })
    expect(await update({})).toMatchObject({ name: 'Team', isPrivate: true })
  })

  test('works for workspace admins and for the operator', async () => {
    const cast = await makeCast(service)
    const { change, stranger, groupID } = cast
    await makeWorkspaceAdmin(cast, stranger)
    const byAdmin = await change(stranger.token, 'updateGroup', { groupID, name: 'A' }, fields)
    expect(byAdmin.data.updateGroup.group.name).toBe('A')
    const input = { groupID, name: 'B' }
    const byOperator = await change(operatorToken, 'updateGroup', input, fields)
    expect(byOperator.data.updateGroup.group).toMatchObject({ name: 'B', viewerRole: null })
  })

  test('returns FORBIDDEN to members, and to other users who can see the group', async () => {
    const { change, member, stranger, groupID, operator, workspaceID } = await makeCast(service)
    for (const { token } of [member, stranger]) {
      const answer = await change(token, 'updateGroup', { groupID, name: 'Mine', isPrivate: true })
      expect([answer.data, codesOf(answer)]).toEqual([{ updateGroup: null }, ['FORBIDDEN']])
      expect(answer.errors?.[0]?.message).toContain('admin')
    }
    const stored = await operator.db.group.findUnique({
      where: { workspaceID_id: { workspaceID, id: groupID } },
    })
    expect(stored).toMatchObject({ name: 'Crew', isPrivate: false })
  })

  test('returns NOT_FOUND for a group that the caller cannot see, even to workspace admins', async () => {
    const [cast, other] = [await makeCast(service, { isPrivate: true }), await makeWorld(service)]
    const { change, stranger, groupID } = cast
    await makeWorkspaceAdmin(cast, stranger)
    for (const id of [groupID, unknownGroup(), other.publicGroup.id, other.workspaceID, 'x']) {
      const answer = await change(stranger.token, 'updateGroup', { groupID: id, name: 'X' })
      expect([answer.data, codesOf(answer)]).toEqual([{ updateGroup: null }, ['NOT_FOUND']])
    }
    const answer = await change(operatorToken, 'updateGroup', { groupID: unknownGroup(), name: 'X' })
    expect(codesOf(answer)).toEqual(['NOT_FOUND'])
  })

  test('immediately hides a group that becomes private, and its threads, from other users', async () => {
    const { change, admin, member, stranger, groupID, as } = await makeCast(service)
    const { thread } = await say(as(admin.userID), [groupID], 'x', 'Plans')
    const chat = await say(as(admin.userID), [groupID], 'x')
    const look = `query ($group: ID!, $threads: [ID!]!) { group(id: $group) { name } nodes(ids: $threads) { id }
      groups { nodes { id } } threads { nodes { id } } threads_by: threads(order: lastMessage) { nodes { id } } }`
    const threads = [thread.id, chat.thread.id]
    const seen = async (token: string) =>
      JSON.stringify((await service.graphql(token, look, { group: groupID, threads })).data)
    for (const id of [groupID, ...threads]) expect(await seen(stranger.token)).toContain(id)
    await change(admin.token, 'updateGroup', { groupID, isPrivate: true })
    for (const id of [groupID, ...threads]) {
      expect(await seen(stranger.token)).not.toContain(id)
      expect(await seen(member.token)).toContain(id)
    }
    const send = { threadID: thread.id, message: { text: 'x' } }
    expect(codesOf(await change(stranger.token, 'sendMessage', send))).toEqual(['NOT_FOUND'])
    await change(admin.token, 'updateGroup', { groupID, isPrivate: false })
    for (const id of [groupID, ...threads]) expect(await seen(stranger.token)).toContain(id)
  })

  test('does not let a workspace admin hide a group without being a member', async () => {
    const cast = await makeCast(service)
    const { change, stranger, groupID } = cast
    await makeWorkspaceAdmin(cast, stranger)
    const answer = await change(stranger.token, 'updateGroup', { groupID, isPrivate: true })
    expect(refusalOf(answer)).toEqual(['isPrivate'])
    await change(stranger.token, 'joinGroup', { groupID })
    const joined = await change(stranger.token, 'updateGroup', { groupID, isPrivate: true }, fields)
    expect(joined.data.updateGroup.group).toMatchObject({ isPrivate: true, viewerRole: 'member' })
  })

  test('lets workspace admins rename the General group, but not make it private', async () => {
    const cast = await makeCast(service)
    const { change, workspaceID, generalGroupID, admin } = cast
    const rename = (token: string, more = {}) =>
      change(token, 'updateGroup', { groupID: workspaceID, name: 'All', ...more }, fields)
    expect(codesOf(await rename(admin.token))).toEqual(['FORBIDDEN'])
    await makeWorkspaceAdmin(cast, admin)
    for (const token of [admin.token, operatorToken]) {
      expect((await rename(token)).data.updateGroup.group).toMatchObject({ id: generalGroupID, name: 'All' })
      for (const groupID of [workspaceID, generalGroupID]) {
        expect(refusalOf(await rename(token, { groupID, isPrivate: true }))).toEqual(['isPrivate'])
      }
    }
  })

  test('names every invalid field', async () => {
    const { change, admin, groupID } = await makeCast(service)
    const input = { groupID, name: ' ', description: 'd'.repeat(1001) }
    expect(refusalOf(await change(admin.token, 'updateGroup', input))).toEqual(['name', 'description'])
  })

  test('lets nobody join after the group has become private', async () => {
    const cast = await makeCast(service)
    const { admin, groupID, as } = cast
    const persons = await makePersons(cast, 50)
    const joins = persons.map(({ id }) =>
      joinGroup(as(id), { groupID }).then(
        () => id,
        (error) => expect(error.code).toBe('not_found'),
      ),
    )
    const closing = updateGroup(as(admin.userID), { groupID, isPrivate: true })
    const later = closing.then(() => joinGroup(as(cast.ada.id), { groupID }))
    await expect(later).rejects.toMatchObject({ code: 'not_found' })
    const joined = (await Promise.all(joins)).filter((id) => typeof id === 'string')
    const members = Object.keys(await rolesIn(cast, groupID))
    expect(members.sort()).toEqual([...joined, admin.userID, cast.member.userID].sort())
  })
})
