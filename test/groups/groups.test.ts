import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/groups/create-group.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { newID } from '../../src/platform/ids.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeWorld, type World } from '../support/factories.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'

const service = await startService()

type Named = { id: string; name: string }
const names = (nodes: Named[]) => nodes.map(({ name }) => name)

function join({ operator, privateGroup, app }: World) {
  return addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
}

describe('group', () => {
  const query = `query ($id: ID!) { group(id: $id) { id name description isPrivate isGeneral createdAt
    viewerRole viewerCanAdminister memberCount members { nodes { id name } edges { role joinedAt } } } }`

  test('returns a group with its members in the order in which they joined', async () => {
    const { app, publicGroup, ada, grace, operator } = await makeWorld(service)
    await addMembers(operator, { groupID: publicGroup.id, userIDs: [app.userID] })
    const answer = await service.graphql(app.token, query, { id: publicGroup.id })
    const { members, ...group } = answer.data.group
    expect(group).toEqual({
      id: publicGroup.id,
      name: 'Builds',
      description: 'What broke',
      isPrivate: false,
      isGeneral: false,
      createdAt: expect.stringMatching(/Z$/),
      viewerRole: 'member',
      viewerCanAdminister: false,
      memberCount: 3,
    })
    const joined = { role: 'member', joinedAt: expect.stringMatching(/Z$/) }
    expect(members.edges).toEqual([joined, joined, joined])
    const ids = members.nodes.map(({ id }: Named) => id)
    expect(ids.slice(0, 2).sort()).toEqual([ada.id, grace.id].sort())
    expect(ids[2]).toBe(app.userID)
  })

  test('returns the General group for its own ID and for the ID of the workspace', async () => {
    const { app, workspaceID, generalGroupID } = await makeWorld(service)
    for (const id of [workspaceID, generalGroupID]) {
      const { data } = await service.graphql(app.token, query, { id })
      expect(data.group).toMatchObject({
        id: generalGroupID,
        name: 'General',
        isGeneral: true,
        isPrivate: false,
      })
    }
  })

  test('returns no viewerRole to a user who is not a member, and does not count deleted users', async () => {
    const { app, operator, publicGroup, grace } = await makeWorld(service)
    const seen = async () => (await service.graphql(app.token, query, { id: publicGroup.id })).data.group
    expect(await seen()).toMatchObject({ viewerRole: null, viewerCanAdminister: false, memberCount: 2 })
    await deletePerson(operator, { userID: grace.id })
    const { memberCount, members } = await seen()
    expect([memberCount, members.nodes.length]).toEqual([1, 1])
  })

  test('returns the same NOT_FOUND for groups that are unknown, hidden or in other workspaces', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const ids = [
      newID('grp'),
      world.privateGroup.id,
      other.publicGroup.id,
      other.workspaceID,
      world.ada.id,
      'x',
    ]
    const answers = await Promise.all(ids.map((id) => service.graphql(world.app.token, query, { id })))
    for (const answer of answers)
      expect([answer.data, codesOf(answer)]).toEqual([{ group: null }, ['NOT_FOUND']])
    expect(new Set(answers.map((answer) => answer.errors?.[0]?.message)).size).toBe(1)
  })
})

describe('a private group', () => {
  const lists = `query ($workspaceID: ID!, $ada: ID!, $group: ID!) {
    groups { nodes { id name } }
    workspace(id: $workspaceID) { groups { nodes { id name } } group(id: $workspaceID) { members { nodes { groups { nodes { name } } } } } }
    user(id: $ada) { groups { nodes { id name } } }
    node(id: $group) { id }
    nodes(ids: [$group]) { id } }`

  async function seen({ app, workspaceID, ada, privateGroup }: World) {
    const variables = { workspaceID, ada: ada.id, group: privateGroup.id }
    const answer = await service.graphql(app.token, lists, variables)
    expect(answer).not.toHaveProperty('errors')
    return answer.data
  }

  test('is hidden in every list, and by its ID, from users who are not members', async () => {
    const data = await seen(await makeWorld(service))
    expect(names(data.groups.nodes)).toEqual(['General', 'Builds'])
    expect(names(data.workspace.groups.nodes)).toEqual(['General', 'Builds'])
    expect(names(data.user.groups.nodes)).toEqual(['General', 'Builds'])
    expect([data.node, data.nodes]).toEqual([null, [null]])
    expect(JSON.stringify(data)).not.toContain('Leads')
  })

  test('is visible to a member, in every list and by its ID, until the member is removed', async () => {
    const world = await makeWorld(service)
    const { operator, privateGroup, app } = world
    await join(world)
    const data = await seen(world)
    for (const list of [data.groups, data.workspace.groups, data.user.groups]) {
      expect(names(list.nodes)).toEqual(['General', 'Builds', 'Leads'])
    }
    expect([data.node, data.nodes]).toEqual([{ id: privateGroup.id }, [{ id: privateGroup.id }]])
    await removeMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    expect(JSON.stringify(await seen(world))).not.toContain('Leads')
  })

  test('is in the lists of the operator', async () => {
    const { workspaceID, privateGroup, ada } = await makeWorld(service)
    const query = `query ($id: ID!, $group: ID!) { workspace(id: $id) {
      groups { nodes { id name } } group(id: $group) {
        name viewerRole viewerCanAdminister memberCount members { nodes { id } } } } }`
    const { data } = await service.graphql(operatorToken, query, { id: workspaceID, group: privateGroup.id })
    expect(names(data.workspace.groups.nodes)).toEqual(['General', 'Builds', 'Leads'])
    expect(data.workspace.group).toEqual({
      name: 'Leads',
      viewerRole: null,
      viewerCanAdminister: true,
      memberCount: 1,
      members: { nodes: [{ id: ada.id }] },
    })
  })
})

describe('pages', () => {
  test('of groups are full even if private groups between them are hidden', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    for (const name of ['A', 'B', 'C']) {
      await createGroup(operator, { workspaceID, name: `hidden ${name}`, isPrivate: true })
      await createGroup(operator, { workspaceID, name })
    }
    const query = `query ($after: String) { groups(first: 2, after: $after) {
      nodes { id name } pageInfo { hasNextPage endCursor } } }`
    const seen: string[][] = []
    for (let after: string | undefined, more = true; more; ) {
      const { nodes, pageInfo } = (await service.graphql(app.token, query, { after })).data.groups
      seen.push(names(nodes))
      after = pageInfo.endCursor
      more = pageInfo.hasNextPage
    }
    expect(seen).toEqual([['General', 'Builds'], ['A', 'B'], ['C']])
  })

  test('list the members of a group and the groups of a user', async () => {
    const { app, workspaceID, ada } = await makeWorld(service)
    const query = `query ($id: ID!, $after: String) { group(id: $id) { members(first: 3, after: $after) {
      nodes { id } pageInfo { hasNextPage endCursor } } } }`
    const first = (await service.graphql(app.token, query, { id: workspaceID })).data.group.members
    const after = first.pageInfo.endCursor
    const rest = (await service.graphql(app.token, query, { id: workspaceID, after })).data.group.members
    expect([first.nodes.length, first.pageInfo.hasNextPage, rest.nodes.length]).toEqual([3, true, 1])
    expect(new Set([...first.nodes, ...rest.nodes].map(({ id }: Named) => id)).size).toBe(4)
    const ofUser = 'query ($id: ID!) { user(id: $id) { groups(last: 1) { nodes { id name } } } }'
    const last = (await service.graphql(app.token, ofUser, { id: ada.id })).data.user.groups
    expect(names(last.nodes)).toEqual(['Builds'])
  })

  test('with invalid limits or cursors are refused', async () => {
    const { app } = await makeWorld(service)
    for (const args of ['first: 101', 'first: -1', 'first: 1, last: 1', 'after: "x"']) {
      expect(codesOf(await service.graphql(app.token, `{ groups(${args}) { nodes { id } } }`))).toEqual([
        'INVALID_INPUT',
      ])
      const members = `{ groups { nodes { members(${args}) { nodes { id } } } } }`
      expect(codesOf(await service.graphql(app.token, members))).toContain('INVALID_INPUT')
    }
  })
})

test('group and groups need a token, and are not available to the operator', async () => {
  for (const query of ['{ groups { nodes { id } } }', '{ group(id: "x") { id } }']) {
    expect(codesOf(await service.graphql('none', query))).toEqual(['UNAUTHENTICATED'])
    expect(codesOf(await service.graphql(operatorToken, query))).toEqual(['FORBIDDEN'])
  }
})
