import { expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const document = `query ($id: ID!, $search: String, $first: Int, $after: String) {
  node(id: $id) { ... on Group {
    members(search: $search, first: $first, after: $after) {
      nodes { name } edges { node { name } } pageInfo { hasNextPage endCursor } } } } }`

/** Creates a group with Ada, Zoë Ångström and Adam, in a workspace that also has Adele. */
async function makeMembers() {
  const world = await makeWorld(service)
  const { operator, workspaceID, publicGroup } = world
  const create = (name: string, email?: string) => createPerson(operator, { workspaceID, name, email })
  const members = [await create('Zoë Ångström', 'zo@example.com'), await create('Adam')]
  await addMembers(operator, { groupID: publicGroup.id, userIDs: members.map(({ id }) => id) })
  await create('Adele')
  const ask = (token: string, variables: object) =>
    service.graphql(token, document, { id: publicGroup.id, ...variables })
  const find = async (search: string | null, token = world.app.token) =>
    (await ask(token, { search })).data.node.members.nodes.map(({ name }: { name: string }) => name)
  return { ...world, ask, find }
}

test('a search of the members of a group finds no other users, and keeps the order of joining', async () => {
  const { find } = await makeMembers()
  expect(await find('ad')).toEqual(['Ada', 'Adam'])
  expect(await find('angstrom')).toEqual(['Zoë Ångström'])
  expect(await find('adele')).toEqual([])
  expect(await find(' ')).toEqual(await find(null))
})

test('a search of members has pages, and groups with different searches do not share them', async () => {
  const { ask, app, publicGroup } = await makeMembers()
  const first = (await ask(app.token, { search: 'ad', first: 1 })).data.node.members
  expect(first).toMatchObject({ edges: [{ node: { name: 'Ada' } }], pageInfo: { hasNextPage: true } })
  const next = (await ask(app.token, { search: 'ad', first: 1, after: first.pageInfo.endCursor })).data.node
  expect(next.members).toMatchObject({ nodes: [{ name: 'Adam' }], pageInfo: { hasNextPage: false } })
  const both = `query ($id: ID!) { group(id: $id) {
    zoe: members(search: "zoe") { nodes { name } } adam: members(search: "adam") { nodes { name } } } }`
  const { data } = await service.graphql(app.token, both, { id: publicGroup.id })
  expect(data.group).toEqual({
    zoe: { nodes: [{ name: 'Zoë Ångström' }] },
    adam: { nodes: [{ name: 'Adam' }] },
  })
})

test('a search of members finds email addresses for the operator and callers who can see them', async () => {
  const { find, operator, workspaceID } = await makeMembers()
  const blind = await makeApp(service, operator, workspaceID, ['workspaces:read', 'groups:read'])
  expect(await find('zo@')).toEqual(['Zoë Ångström'])
  expect(await find('zo@', operatorToken)).toEqual(['Zoë Ångström'])
  expect(await find('zo@', blind.token)).toEqual([])
})

test('a search of members refuses a text that is too long, and needs the scope groups:read', async () => {
  const { ask, app, operator, workspaceID } = await makeMembers()
  const codeOf = async (token: string, search: string) =>
    (await ask(token, { search })).errors?.map(({ extensions }) => extensions)
  expect(await codeOf(app.token, 'x'.repeat(101))).toMatchObject([
    { code: 'INVALID_INPUT', errors: [{ field: 'search' }] },
  ])
  const { token } = await makeApp(service, operator, workspaceID, ['workspaces:read'])
  expect(await codeOf(token, 'a')).toMatchObject([{ code: 'INSUFFICIENT_SCOPE' }])
  expect(await codeOf('none', 'a')).toMatchObject([{ code: 'UNAUTHENTICATED' }])
})
