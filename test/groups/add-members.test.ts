import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { newID } from '../../src/platform/ids.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { makeCast, makePersons, makeWorkspaceAdmin, refusalOf, rolesIn, unknownGroup } from './cast.ts'

const service = await startService()
const fields = 'group { id memberCount } memberEdges { cursor role joinedAt node { id } }'

describe('addMembers', () => {
  test('lets any member add users, and returns the memberships of all given users', async () => {
    const { change, member, admin, ada, grace, webhook, groupID } = await makeCast(service, {
      isPrivate: true,
    })
    const userIDs = [grace.id, admin.userID, ada.id, webhook.userID, ada.id]
    const { data } = await change(member.token, 'addMembers', { groupID, userIDs }, fields)
    const { group, memberEdges } = data.addMembers
    expect(group).toEqual({ id: groupID, memberCount: 5 })
    const list =
      'query ($id: ID!) { group(id: $id) { members { edges { cursor role joinedAt node { id } } } } }'
    const seen = (await service.graphql(member.token, list, { id: groupID })).data.group.members.edges
    const isNamed = (edge: { node: { id: string } }) => userIDs.includes(edge.node.id)
    expect(memberEdges).toEqual(seen.filter(isNamed))
    expect(memberEdges.map(({ role }: { role: string }) => role)).toEqual([
      'admin',
      'member',
      'member',
      'member',
    ])
  })

  test('adds an event that names who added the users, and nobody if it was the operator', async () => {
    const { change, member, stranger, groupID, ada, grace } = await makeCast(service)
    const { data: start } = await service.graphql(member.token, '{ latestEventCursor }')
    await change(member.token, 'addMembers', { groupID, userIDs: [ada.id] })
    await change(operatorToken, 'addMembers', { groupID, userIDs: [grace.id] })
    await change(stranger.token, 'joinGroup', { groupID })
    const query = `query ($after: String) {
      events(types: [membersAdded], after: $after) { nodes { userIDs user { id } } } }`
    const { data } = await service.graphql(member.token, query, { after: start.latestEventCursor })
    expect(data.events.nodes).toEqual([
      { userIDs: [ada.id], user: { id: member.userID } },
      { userIDs: [grace.id], user: null },
      { userIDs: [stranger.userID], user: { id: stranger.userID } },
    ])
  })

  test('gives a user access to a private group immediately', async () => {
    const { change, admin, stranger, groupID } = await makeCast(service, { isPrivate: true })
    const look = 'query ($id: ID!) { group(id: $id) { viewerRole } }'
    expect(codesOf(await service.graphql(stranger.token, look, { id: groupID }))).toEqual(['NOT_FOUND'])
    await change(admin.token, 'addMembers', { groupID, userIDs: [stranger.userID] })
    expect((await service.graphql(stranger.token, look, { id: groupID })).data.group.viewerRole).toBe(
      'member',
    )
  })

  test('works for the operator in every group, and for workspace admins in visible groups', async () => {
    const cast = await makeCast(service)
    const { change, stranger, groupID, privateGroup, ada } = cast
    const userIDs = [ada.id]
    await makeWorkspaceAdmin(cast, stranger)
    const byAdmin = await change(stranger.token, 'addMembers', { groupID, userIDs }, fields)
    expect(byAdmin.data.addMembers.group.memberCount).toBe(3)
    const hidden = await change(stranger.token, 'addMembers', { groupID: privateGroup.id, userIDs })
    expect(codesOf(hidden)).toEqual(['NOT_FOUND'])
    const input = { groupID: privateGroup.id, userIDs: [stranger.userID] }
    const byOperator = await change(operatorToken, 'addMembers', input, fields)
    expect(byOperator.data.addMembers.group.memberCount).toBe(2)
  })

  test('returns FORBIDDEN to a user who is not a member, with the advice to join first', async () => {
    const { change, stranger, groupID, ada } = await makeCast(service)
    const answer = await change(stranger.token, 'addMembers', { groupID, userIDs: [ada.id] })
    expect([answer.data, codesOf(answer)]).toEqual([{ addMembers: null }, ['FORBIDDEN']])
    expect(answer.errors?.[0]?.message).toContain('Join it first')
  })

  test('names every ID that does not belong to a user of the workspace, and adds nobody', async () => {
    const [cast, other] = [await makeCast(service), await makeWorld(service)]
    const { change, admin, operator, groupID, ada, grace } = cast
    await deletePerson(operator, { userID: grace.id })
    const unknown = [newID('usr'), other.ada.id, grace.id, groupID, 'x']
    for (const token of [admin.token, operatorToken]) {
      const input = { groupID, userIDs: [ada.id, ...unknown] }
      const answer = await change(token, 'addMembers', input)
      expect(answer.data).toEqual({ addMembers: null })
      const errors = unknown.map((id, index) => ({
        field: `userIDs.${index + 1}`,
        message: expect.stringContaining(id),
      }))
      expect(answer.errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', errors } }])
    }
    expect(Object.keys(await rolesIn(cast, groupID))).toHaveLength(2)
  })

  test('refuses an empty list and more than 100 users', async () => {
    const { change, admin, groupID, ada } = await makeCast(service)
    for (const [userIDs, field] of [
      [[], 'userIDs'],
      [Array(101).fill(ada.id), 'userIDs'],
      [[''], 'userIDs.0'],
    ]) {
      const answer = await change(admin.token, 'addMembers', { groupID, userIDs })
      expect(refusalOf(answer)).toEqual([field])
    }
  })

  test('returns NOT_FOUND for an unknown group and for a group of another workspace', async () => {
    const [cast, other] = [await makeCast(service), await makeWorld(service)]
    const { change, admin } = cast
    for (const groupID of [unknownGroup(), other.publicGroup.id, other.workspaceID, 'x']) {
      const answer = await change(admin.token, 'addMembers', { groupID, userIDs: [other.ada.id] })
      expect([answer.data, codesOf(answer)]).toEqual([{ addMembers: null }, ['NOT_FOUND']])
    }
    for (const groupID of [unknownGroup(), 'x']) {
      const answer = await change(operatorToken, 'addMembers', { groupID, userIDs: [other.ada.id] })
      expect([answer.data, codesOf(answer)]).toEqual([{ addMembers: null }, ['NOT_FOUND']])
    }
  })

  test('does not add users of another workspace, even for the operator', async () => {
    const [cast, other] = [await makeCast(service), await makeWorld(service)]
    for (const groupID of [cast.groupID, cast.workspaceID]) {
      const answer = await cast.change(operatorToken, 'addMembers', { groupID, userIDs: [other.ada.id] })
      expect(refusalOf(answer)).toEqual(['userIDs.0'])
    }
  })

  test('needs a token with groups:write', async () => {
    const { change, operator, workspaceID, groupID, ada } = await makeCast(service)
    const reader = await makeApp(service, operator, workspaceID, ['groups:read'])
    const input = { groupID, userIDs: [ada.id] }
    expect(codesOf(await change(reader.token, 'addMembers', input))).toEqual(['INSUFFICIENT_SCOPE'])
    expect(codesOf(await change('none', 'addMembers', input))).toEqual(['UNAUTHENTICATED'])
  })

  test('adds each user once if many callers add the same users at once in any order', async () => {
    const cast = await makeCast(service)
    const { as, admin, member, groupID } = cast
    const ids = (await makePersons(cast, 40)).map(({ id }) => id)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const turned = [...ids.slice(index % 40), ...ids.slice(0, index % 40)]
        const userIDs = index % 2 ? turned : turned.reverse()
        return addMembers(as(index % 3 ? admin.userID : member.userID), { groupID, userIDs })
      }),
    )
    expect(Object.keys(await rolesIn(cast, groupID)).sort()).toEqual(
      [...ids, admin.userID, member.userID].sort(),
    )
  })

  test('leaves no user in the group if the user is deleted at the same time', async () => {
    const cast = await makeCast(service)
    const { as, admin, operator, groupID } = cast
    const ids = (await makePersons(cast, 25)).map(({ id }) => id)
    await Promise.all(
      ids.flatMap((userID) => [
        addMembers(as(admin.userID), { groupID, userIDs: [userID] }).catch((error) =>
          expect(error.code).toBe('invalid_input'),
        ),
        deletePerson(operator, { userID }),
      ]),
    )
    expect(Object.keys(await rolesIn(cast, groupID))).toHaveLength(2)
  })
})
