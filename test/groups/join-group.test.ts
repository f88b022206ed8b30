import { describe, expect, test } from 'vitest'
import { joinGroup } from '../../src/groups/members/join-group.ts'
import { leaveGroup } from '../../src/groups/members/remove-members.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { makeCast, makePersons, refusalOf, rolesIn, unknownGroup } from './cast.ts'

const service = await startService()
const fields = `group { id viewerRole memberCount } groupEdge { cursor node { id } }
  memberEdge { cursor role joinedAt node { id } }`

describe('joinGroup', () => {
  test('makes the caller a member, and returns the edges of both lists', async () => {
    const { change, stranger, groupID } = await makeCast(service)
    const { data } = await change(stranger.token, 'joinGroup', { groupID }, fields)
    const { group, groupEdge, memberEdge } = data.joinGroup
    expect(group).toEqual({ id: groupID, viewerRole: 'member', memberCount: 3 })
    expect(memberEdge).toMatchObject({ role: 'member', node: { id: stranger.userID } })
    const lists = `query ($id: ID!) { me { groups(last: 1) { edges { cursor node { id } } } }
      group(id: $id) { members(last: 1) { edges { cursor role joinedAt node { id } } } } }`
    const seen = (await service.graphql(stranger.token, lists, { id: groupID })).data
    expect(seen.me.groups.edges).toEqual([groupEdge])
    expect(seen.group.members.edges).toEqual([memberEdge])
  })

  test('changes nothing for a member, not even the role', async () => {
    const { change, admin, member, groupID } = await makeCast(service)
    for (const [{ token }, role] of [
      [admin, 'admin'],
      [member, 'member'],
    ] as const) {
      const first = (await change(token, 'joinGroup', { groupID }, fields)).data.joinGroup
      const second = (await change(token, 'joinGroup', { groupID }, fields)).data.joinGroup
      expect(first).toEqual(second)
      expect(first.memberEdge.role).toBe(role)
      expect(first.group.memberCount).toBe(2)
    }
  })

  test('has no effect in the General group, which contains every user', async () => {
    const { change, stranger, workspaceID } = await makeCast(service)
    const { data } = await change(stranger.token, 'joinGroup', { groupID: workspaceID }, fields)
    expect(data.joinGroup).toMatchObject({ group: { viewerRole: 'member', memberCount: 6 } })
  })

  test('returns NOT_FOUND for a private group, except to its members', async () => {
    const { change, stranger, member, groupID } = await makeCast(service, { isPrivate: true })
    const answer = await change(stranger.token, 'joinGroup', { groupID })
    expect([answer.data, codesOf(answer)]).toEqual([{ joinGroup: null }, ['NOT_FOUND']])
    const known = await change(member.token, 'joinGroup', { groupID }, fields)
    expect(known.data.joinGroup.group.viewerRole).toBe('member')
  })

  test('returns NOT_FOUND for an unknown group and for a group of another workspace', async () => {
    const [cast, other] = [await makeCast(service), await makeWorld(service)]
    for (const groupID of [unknownGroup(), other.publicGroup.id, other.workspaceID, cast.ada.id]) {
      const answer = await cast.change(cast.stranger.token, 'joinGroup', { groupID })
      expect([answer.data, codesOf(answer)]).toEqual([{ joinGroup: null }, ['NOT_FOUND']])
    }
  })

  test('refuses an empty ID', async () => {
    const { change, stranger } = await makeCast(service)
    expect(refusalOf(await change(stranger.token, 'joinGroup', { groupID: '' }))).toEqual(['groupID'])
  })

  test('needs a token with groups:write, and is not available to the operator', async () => {
    const { change, operator, workspaceID, groupID } = await makeCast(service)
    const reader = await makeApp(service, operator, workspaceID, ['groups:read'])
    expect(codesOf(await change(reader.token, 'joinGroup', { groupID }))).toEqual(['INSUFFICIENT_SCOPE'])
    expect(codesOf(await change('none', 'joinGroup', { groupID }))).toEqual(['UNAUTHENTICATED'])
    expect(codesOf(await change(operatorToken, 'joinGroup', { groupID }))).toEqual(['FORBIDDEN'])
  })
})

describe('when many users join at once', () => {
  test('each of them becomes a member once', async () => {
    const cast = await makeCast(service)
    const { as, groupID } = cast
    const persons = await makePersons(cast, 50)
    const joined = await Promise.all([...persons, ...persons].map(({ id }) => joinGroup(as(id), { groupID })))
    expect(joined).toHaveLength(100)
    const roles = await rolesIn(cast, groupID)
    expect(Object.keys(roles)).toHaveLength(52)
    for (const { id } of persons) expect(roles[id]).toBe('member')
  })

  test('a user who joins and leaves at the same time gets no error, and can join afterwards', async () => {
    const cast = await makeCast(service)
    const { as, groupID, ada } = cast
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? joinGroup : leaveGroup)(as(ada.id), { groupID }),
      ),
    )
    await joinGroup(as(ada.id), { groupID })
    expect(Object.keys(await rolesIn(cast, groupID))).toHaveLength(3)
  })

  test('no user stays in the group if the user is deleted at the same time', async () => {
    const cast = await makeCast(service)
    const { as, groupID, operator } = cast
    const persons = await makePersons(cast, 25)
    await Promise.all(
      persons.flatMap(({ id }) => [
        joinGroup(as(id), { groupID }).catch((error) => expect(error.code).toBe('not_found')),
        deletePerson(operator, { userID: id }),
      ]),
    )
    expect(Object.keys(await rolesIn(cast, groupID))).toHaveLength(2)
  })
})
