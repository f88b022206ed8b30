import { describe, expect, test } from 'vitest'
import { updateMember } from '../../src/groups/members/update-member.ts'
import { newID } from '../../src/platform/ids.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { makeCast, makeWorkspaceAdmin, refusalOf, rolesIn, unknownGroup } from './cast.ts'

const service = await startService()
const fields = 'group { id viewerRole viewerCanAdminister } memberEdge { cursor role joinedAt node { id } }'

describe('updateMember', () => {
  test('lets an admin set the role of a member, and the role takes effect immediately', async () => {
    const { change, admin, member, groupID } = await makeCast(service)
    const rename = () => change(member.token, 'updateGroup', { groupID, name: 'Team' })
    expect(codesOf(await rename())).toEqual(['FORBIDDEN'])
    const input = { groupID, userID: member.userID, role: 'admin' }
    const { data } = await change(admin.token, 'updateMember', input, fields)
    expect(data.updateMember.group).toEqual({ id: groupID, viewerRole: 'admin', viewerCanAdminister: true })
    const list =
      'query ($id: ID!) { group(id: $id) { members { edges { cursor role joinedAt node { id } } } } }'
    const { edges } = (await service.graphql(admin.token, list, { id: groupID })).data.group.members
    expect(edges).toContainEqual(data.updateMember.memberEdge)
    expect(data.updateMember.memberEdge.role).toBe('admin')
    expect(codesOf(await rename())).toEqual([])
    await change(admin.token, 'updateMember', { ...input, role: 'member' })
    expect(codesOf(await rename())).toEqual(['FORBIDDEN'])
  })

  test('changes nothing if the member already has the role', async () => {
    const cast = await makeCast(service)
    const { change, admin, member, groupID } = cast
    const before = await rolesIn(cast, groupID)
    for (const [userID, role] of Object.entries(before)) {
      const answer = await change(admin.token, 'updateMember', { groupID, userID, role }, fields)
      expect(answer.data.updateMember.memberEdge).toMatchObject({ role, node: { id: userID } })
    }
    expect(await rolesIn(cast, groupID)).toEqual(before)
    expect(before[member.userID]).toBe('member')
  })

  test('makes a member of the General group an admin of the workspace, who can change every visible group', async () => {
    const cast = await makeCast(service)
    const { change, stranger, member, groupID, privateGroup, workspaceID, generalGroupID } = cast
    const look = 'query ($id: ID!) { group(id: $id) { viewerRole viewerCanAdminister } }'
    const seen = async (id: string) => (await service.graphql(stranger.token, look, { id })).data.group
    expect(await seen(groupID)).toEqual({ viewerRole: null, viewerCanAdminister: false })
    await makeWorkspaceAdmin(cast, stranger)
    expect(await seen(groupID)).toEqual({ viewerRole: null, viewerCanAdminister: true })
    expect(await seen(workspaceID)).toEqual({ viewerRole: 'admin', viewerCanAdminister: true })
    expect(await seen(privateGroup.id)).toBeNull()
    for (const id of [groupID, workspaceID]) {
      const input = { groupID: id, userID: member.userID, role: 'admin' }
      expect(codesOf(await change(stranger.token, 'updateMember', input))).toEqual([])
    }
    expect((await rolesIn(cast, generalGroupID))[member.userID]).toBe('admin')
  })

  test('lets only the operator demote the last admin', async () => {
    const cast = await makeCast(service)
    const { change, admin, stranger, groupID, workspaceID } = cast
    await makeWorkspaceAdmin(cast, stranger)
    const input = { groupID, userID: admin.userID, role: 'member' }
    for (const { token } of [admin, stranger]) {
      const answer = await change(token, 'updateMember', input)
      expect([answer.data, refusalOf(answer)]).toEqual([{ updateMember: null }, ['role']])
    }
    const ofWorkspace = { groupID: workspaceID, userID: stranger.userID, role: 'member' }
    expect(refusalOf(await change(stranger.token, 'updateMember', ofWorkspace))).toEqual(['role'])
    for (const each of [input, ofWorkspace]) {
      expect(codesOf(await change(operatorToken, 'updateMember', each))).toEqual([])
    }
    expect((await rolesIn(cast, groupID))[admin.userID]).toBe('member')
  })

  test('refuses a user who is not a member, a webhook as admin, and an unknown role', async () => {
    const [cast, other] = [await makeCast(service), await makeWorld(service)]
    const { change, admin, stranger, webhook, groupID } = cast
    for (const userID of [stranger.userID, other.ada.id, newID('usr'), 'x', '']) {
      const answer = await change(admin.token, 'updateMember', { groupID, userID, role: 'admin' })
      expect([answer.data, refusalOf(answer)]).toEqual([{ updateMember: null }, ['userID']])
    }
    await change(admin.token, 'addMembers', { groupID, userIDs: [webhook.userID] })
    const input = { groupID, userID: webhook.userID, role: 'admin' }
    expect(refusalOf(await change(admin.token, 'updateMember', input))).toEqual(['role'])
    const boss = await change(admin.token, 'updateMember', { ...input, role: 'boss' })
    expect(codesOf(boss)).toEqual(['INVALID_INPUT'])
  })

  test('returns FORBIDDEN to members, and to other users who can see the group', async () => {
    const { change, member, stranger, groupID } = await makeCast(service)
    for (const { token } of [member, stranger]) {
      const input = { groupID, userID: member.userID, role: 'admin' }
      const answer = await change(token, 'updateMember', input)
      expect([answer.data, codesOf(answer)]).toEqual([{ updateMember: null }, ['FORBIDDEN']])
    }
  })

  test('returns NOT_FOUND for a group that the caller cannot see', async () => {
    const [cast, other] = [await makeCast(service), await makeWorld(service)]
    const { change, admin, privateGroup, ada } = cast
    const rest = { userID: ada.id, role: 'admin' }
    for (const groupID of [unknownGroup(), privateGroup.id, other.publicGroup.id, other.workspaceID]) {
      expect(codesOf(await change(admin.token, 'updateMember', { groupID, ...rest }))).toEqual(['NOT_FOUND'])
    }
    const answer = await change(operatorToken, 'updateMember', { groupID: unknownGroup(), ...rest })
    expect(codesOf(answer)).toEqual(['NOT_FOUND'])
  })

  test('needs a token with groups:write', async () => {
    const { change, operator, workspaceID, groupID, member } = await makeCast(service)
    const reader = await makeApp(service, operator, workspaceID, ['groups:read'])
    const input = { groupID, userID: member.userID, role: 'admin' }
    expect(codesOf(await change(reader.token, 'updateMember', input))).toEqual(['INSUFFICIENT_SCOPE'])
    expect(codesOf(await change('none', 'updateMember', input))).toEqual(['UNAUTHENTICATED'])
  })

  test('needs a token with workspaces:write in the General group', async () => {
    const { change, operator, workspaceID, generalGroupID: groupID, member } = await makeCast(service)
    for (const [scopes, codes] of [
      [['groups:write'], ['INSUFFICIENT_SCOPE']],
      [['groups:write', 'workspaces:write'], []],
    ] as const) {
      const admin = await makeApp(service, operator, workspaceID, [...scopes])
      await updateMember(operator, { groupID, userID: admin.userID, role: 'admin' })
      const input = { groupID, userID: member.userID, role: 'admin' }
      expect(codesOf(await change(admin.token, 'updateMember', input))).toEqual(codes)
    }
  })

  test('succeeds for only one of two admins who demote each other at once', async () => {
    const cast = await makeCast(service)
    const { change, as, admin, member, groupID } = cast
    for (let round = 0; round < 10; round += 1) {
      for (const { userID } of [admin, member]) {
        await change(operatorToken, 'updateMember', { groupID, userID, role: 'admin' })
      }
      const outcomes = await Promise.allSettled([
        updateMember(as(admin.userID), { groupID, userID: member.userID, role: 'member' }),
        updateMember(as(member.userID), { groupID, userID: admin.userID, role: 'member' }),
      ])
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
      expect(failures).toMatchObject([{ reason: { code: 'forbidden' } }])
      expect(Object.values(await rolesIn(cast, groupID)).sort()).toEqual(['admin', 'member'])
    }
  })

  test.runIf(process.env.TEST_DATABASE_URL)('refuses a user who is deleted during the call', async () => {
    const cast = await makeCast(service)
    const { db } = cast.operator
    const deletion = await inOpenTransaction(
      db,
      'DELETE FROM group_members WHERE group_id = $1 AND user_id = $2',
      [cast.generalGroupID, cast.member.userID],
    )
    const input = { groupID: cast.workspaceID, userID: cast.member.userID, role: 'admin' }
    const answer = cast.change(operatorToken, 'updateMember', input)
    const isBlocked = `SELECT EXISTS (
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS blocked`
    await expect.poll(() => db.$queryRawUnsafe(isBlocked), { timeout: 10_000 }).toEqual([{ blocked: true }])
    await deletion.query('COMMIT')
    await deletion.end()
    expect(refusalOf(await answer)).toEqual(['userID'])
  })

  test('keeps one admin if all admins demote themselves at once', async () => {
    const cast = await makeCast(service)
    const { change, as, admin, member, stranger, groupID } = cast
    const ids = [admin.userID, member.userID, stranger.userID, cast.ada.id, cast.grace.id]
    await change(operatorToken, 'addMembers', { groupID, userIDs: ids })
    for (const userID of ids) {
      await change(operatorToken, 'updateMember', { groupID, userID, role: 'admin' })
    }
    const outcomes = await Promise.allSettled(
      ids.map((userID) => updateMember(as(userID), { groupID, userID, role: 'member' })),
    )
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(failures).toMatchObject([{ reason: { code: 'conflict', errors: [{ field: 'role' }] } }])
    const roles = Object.values(await rolesIn(cast, groupID))
    expect(roles.filter((role) => role === 'admin')).toHaveLength(1)
  })
})
