import { describe, expect, test } from 'vitest'
import { joinGroup } from '../../src/groups/members/join-group.ts'
import { leaveGroup } from '../../src/groups/members/leave-group.ts'
import { deletePerson } from '../../src/workspaces/delete-person.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'
import { codesOf, makeCast, makePersons, refusalOf, rolesIn, unknownGroup } from './cast.ts'

const service = await startService()
const fields = `group { id viewerRole memberCount } groupEdge { cursor node { id } }
  memberEdge { cursor role joinedAt node { id } }`

describe('joinGroup', () => {
  test('makes the caller a member, and answers the edges of both lists', async () => {
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

  test('changes nothing for a member, not even its role', async () => {
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

  test('is without effect in General, which everyone is in', async () => {
    const { change, stranger, workspaceID } = await makeCast(service)
    const { data } = await change(stranger.token, 'joinGroup', { groupID: workspaceID }, fields)
    expect(data.joinGroup).toMatchObject({ group: { viewerRole: 'member', memberCount: 6 } })
  })

  test('finds no private group, but for its members', async () => {
    const { change, stranger, member, groupID } = await makeCast(service, { isPrivate: true })
    const answer = await change(stranger.token, 'joinGroup', { groupID })
    expect([answer.data, codesOf(answer)]).toEqual([{ joinGroup: null }, ['NOT_FOUND']])
    const known = await change(member.token, 'joinGroup', { groupID }, fields)
    expect(known.data.joinGroup.group.viewerRole).toBe('member')
  })

  test('finds no group of another workspace, or where there is none', async () => {
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

  test('needs groups:write, a token, and a user', async () => {
    const { change, operator, workspaceID, groupID } = await makeCast(service)
    const reader = await makeApp(service, operator, workspaceID, ['groups:read'])
    expect(codesOf(await change(reader.token, 'joinGroup', { groupID }))).toEqual(['INSUFFICIENT_SCOPE'])
    expect(codesOf(await change('none', 'joinGroup', { groupID }))).toEqual(['UNAUTHENTICATED'])
    expect(codesOf(await change(operatorToken, 'joinGroup', { groupID }))).toEqual(['FORBIDDEN'])
  })
})

describe('however many join at once', () => {
  test('each is a member, once', async () => {
    const cast = await makeCast(service)
    const { as, groupID } = cast
    const persons = await makePersons(cast, 50)
    const joined = await Promise.all([...persons, ...persons].map(({ id }) => joinGroup(as(id), { groupID })))
    expect(joined).toHaveLength(100)
    const roles = await rolesIn(cast, groupID)
    expect(Object.keys(roles)).toHaveLength(52)
    for (const { id } of persons) expect(roles[id]).toBe('member')
  })

  test('one user is in the group or not, whatever it does meanwhile, and is told no error', async () => {
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

  test('nobody stays in the group who is deleted meanwhile', async () => {
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
