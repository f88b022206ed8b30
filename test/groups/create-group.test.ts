import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/groups/create-group.ts'
import { newID } from '../../src/platform/ids.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { makeCast, makePersons, refusalOf } from './cast.ts'

const service = await startService()
const fields = `group { id name description isPrivate isGeneral viewerRole viewerCanAdminister memberCount
  members { nodes { id } edges { role } } } groupEdge { cursor node { id } }`
const create = (token: string, input: object) => mutate(service, token, 'createGroup', input, fields)

describe('createGroup', () => {
  test('creates a public group whose admin is the caller', async () => {
    const { app } = await makeWorld(service)
    const { data } = await create(app.token, { name: ' Ops ' })
    expect(data.createGroup.group).toEqual({
      id: expect.stringMatching(/^grp_[0-9A-Za-z]{27}$/),
      name: 'Ops',
      description: null,
      isPrivate: false,
      isGeneral: false,
      viewerRole: 'admin',
      viewerCanAdminister: true,
      memberCount: 1,
      members: { nodes: [{ id: app.userID }], edges: [{ role: 'admin' }] },
    })
  })

  test('returns the edge that the group has in lists', async () => {
    const { app } = await makeWorld(service)
    const { group, groupEdge } = (await create(app.token, { name: 'Ops' })).data.createGroup
    expect(groupEdge.node).toEqual({ id: group.id })
    const lists = '{ groups(last: 1) { edges { cursor } } me { groups(last: 1) { edges { cursor } } } }'
    const { groups, me } = (await service.graphql(app.token, lists)).data
    expect([groups, me.groups]).toEqual(Array(2).fill({ edges: [{ cursor: groupEdge.cursor }] }))
  })

  test('creates a private group that others cannot see', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const { data } = await create(app.token, { workspaceID, name: 'Secrets', isPrivate: true })
    expect(data.createGroup.group).toMatchObject({ isPrivate: true, viewerRole: 'admin' })
    const other = await makeApp(service, operator, workspaceID)
    const look = 'query ($id: ID!) { group(id: $id) { id } }'
    const { id } = data.createGroup.group
    expect(codesOf(await service.graphql(other.token, look, { id }))).toEqual(['NOT_FOUND'])
    expect((await service.graphql(app.token, look, { id })).data.group).toEqual({ id })
  })

  test('creates a group without members for the operator, who must name the workspace', async () => {
    const { workspaceID } = await makeWorld(service)
    const { data } = await create(operatorToken, { workspaceID, name: 'Ops', description: 'All of it' })
    expect(data.createGroup.group).toMatchObject({
      description: 'All of it',
      viewerRole: null,
      viewerCanAdminister: true,
      memberCount: 0,
    })
    expect(refusalOf(await create(operatorToken, { name: 'Ops' }))).toEqual(['workspaceID'])
  })

  test('names every invalid field', async () => {
    const { app, workspaceID } = await makeWorld(service)
    const input = { name: '\u200b', description: 'd'.repeat(1001) }
    expect(refusalOf(await create(app.token, input))).toEqual(['name', 'description'])
    const byOperator = await create(operatorToken, { workspaceID, ...input })
    expect(refusalOf(byOperator)).toEqual(['name', 'description'])
  })

  test('needs a token with groups:write', async () => {
    const { operator, workspaceID } = await makeWorld(service)
    const reader = await makeApp(service, operator, workspaceID, ['groups:read', 'threads:write'])
    const answer = await create(reader.token, { name: 'Ops' })
    expect([answer.data, codesOf(answer)]).toEqual([{ createGroup: null }, ['INSUFFICIENT_SCOPE']])
    expect(codesOf(await create('none', { name: 'Ops' }))).toEqual(['UNAUTHENTICATED'])
  })

  test('returns NOT_FOUND for another or an unknown workspace', async () => {
    const [{ app }, other] = [await makeWorld(service), await makeWorld(service)]
    for (const workspaceID of [other.workspaceID, newID('wks')]) {
      const answer = await create(app.token, { workspaceID, name: 'Ops' })
      expect([answer.data, codesOf(answer)]).toEqual([{ createGroup: null }, ['NOT_FOUND']])
    }
    const nowhere = await create(operatorToken, { workspaceID: newID('wks'), name: 'Ops' })
    expect(codesOf(nowhere)).toEqual(['NOT_FOUND'])
  })

  test('leaves no user in the group if the user is deleted at the same time', async () => {
    const cast = await makeCast(service)
    const { operator, workspaceID, as } = cast
    const persons = await makePersons(cast, 25)
    await Promise.all(
      persons.flatMap(({ id }) => [
        createGroup(as(id), { name: `Group of ${id}` }).catch((error) =>
          expect(error.code).toBe('not_found'),
        ),
        deletePerson(operator, { userID: id }),
      ]),
    )
    const userIDs = persons.map(({ id }) => id)
    expect(await operator.db.groupMember.count({ where: { workspaceID, userID: { in: userIDs } } })).toBe(0)
  })
})
