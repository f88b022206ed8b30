import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/groups/create-group.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { updatePerson } from '../../src/workspaces/users/update-person.ts'
import { makeApp, makeWorld, type World } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

type Field = 'users' | 'groups'
type Named = { name: string }

const document = (
  field: Field,
) => `query ($search: String, $first: Int, $after: String, $last: Int, $before: String) {
  ${field}(search: $search, first: $first, after: $after, last: $last, before: $before) {
    nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

async function pageOf(field: Field, token: string, variables: object) {
  const { data, errors } = await service.graphql(token, document(field), variables)
  expect(errors).toBeUndefined()
  const { nodes, pageInfo } = data[field]
  return { names: nodes.map(({ name }: Named) => name), pageInfo }
}

async function found(field: Field, token: string, search: string | null): Promise<string[]> {
  return (await pageOf(field, token, { search })).names
}

async function addPeople({ operator, workspaceID }: World, names: string[]): Promise<void> {
  for (const name of names) await createPerson(operator, { workspaceID, name })
}

describe('users(search:)', () => {
  test('returns the users whose name has a word that starts with the text, ignoring case', async () => {
    const world = await makeWorld(service)
    await addPeople(world, ['Augusta Ada King', 'Jean-Luc Picard', 'Zoë Ångström', 'Granada', 'Miles (ada)'])
    const find = (search: string) => found('users', world.app.token, search)
    expect(await find('ada')).toEqual(['Ada', 'Augusta Ada King', 'Miles (ada)'])
    expect(await find(' ADA  k ')).toEqual(['Augusta Ada King'])
    expect(await find('luc')).toEqual(['Jean-Luc Picard'])
    expect(await find('jean-l')).toEqual(['Jean-Luc Picard'])
    expect(await find('ÅNG')).toEqual(['Zoë Ångström'])
    expect(await find('(A')).toEqual(['Miles (ada)'])
    expect(await find('nothing')).toEqual([])
  })

  test('ignores accents, the kind of an apostrophe and characters that are not shown', async () => {
    const world = await makeWorld(service)
    await addPeople(world, ['Łukasz Żak', 'José Núñez', 'Shane O’Brien', 'Ann\u200ba', 'مُحَمَّد', 'हिन्दी'])
    const find = (search: string) => found('users', world.app.token, search)
    expect(await find('lukasz zak')).toEqual(['Łukasz Żak'])
    expect(await find('nunez')).toEqual(['José Núñez'])
    expect(await find("o'brien")).toEqual(['Shane O’Brien'])
    expect(await find('anna')).toEqual(['Ann\u200ba'])
    expect(await find('محمد')).toEqual(['مُحَمَّد'])
    expect(await find('हन')).toEqual([])
  })

  test('finds Chinese and Japanese letters anywhere in a name, and Korean words by their beginning', async () => {
    const world = await makeWorld(service)
    await addPeople(world, ['王美丽', 'さとう花子', '김철수'])
    const find = (search: string) => found('users', world.app.token, search)
    expect(await find('美丽')).toEqual(['王美丽'])
    expect(await find('花')).toEqual(['さとう花子'])
    expect(await find('김철')).toEqual(['김철수'])
    expect(await find('철수')).toEqual([])
  })

  test('finds a new name, and no longer the earlier one', async () => {
    const { app, operator, grace } = await makeWorld(service)
    expect(await found('users', app.token, 'grace')).toEqual(['Grace'])
    await updatePerson(operator, { userID: grace.id, name: 'Zoë' })
    expect(await found('users', app.token, 'zoe')).toEqual(['Zoë'])
    expect(await found('users', app.token, 'grace')).toEqual([])
  })

  test('takes every character literally', async () => {
    const world = await makeWorld(service)
    const names = ['100%', 'a_b', 'a\\b', 'a.b', '[x]*', '^start$', 'axb', 'what?', 'q|r', 'x{2}']
    await addPeople(world, names)
    for (const name of names) expect(await found('users', world.app.token, name)).toEqual([name])
    for (const search of ['.*', '\\w', '\\m', '***=a', '(?i)a', 'a|', 'a%b', "' OR ''='"])
      expect([search, await found('users', world.app.token, search)]).toEqual([search, []])
  })

  test('returns pages in order of creation, in both directions', async () => {
    const world = await makeWorld(service)
    await addPeople(world, ['Kim A', 'Other', 'Kim B', 'Kim C', 'Another', 'Kim D'])
    const ask = (variables: object) => pageOf('users', world.app.token, { search: 'kim', ...variables })
    const first = await ask({ first: 2 })
    expect(first).toMatchObject({ names: ['Kim A', 'Kim B'], pageInfo: { hasNextPage: true } })
    const next = await ask({ first: 2, after: first.pageInfo.endCursor })
    expect(next).toMatchObject({ names: ['Kim C', 'Kim D'], pageInfo: { hasNextPage: false } })
    const last = await ask({ last: 3 })
    expect(last).toMatchObject({ names: ['Kim B', 'Kim C', 'Kim D'], pageInfo: { hasPreviousPage: true } })
    expect((await ask({ last: 2, before: last.pageInfo.startCursor })).names).toEqual(['Kim A'])
  })

  test('also finds email addresses, for the operator and callers who can see them', async () => {
    const { operator, workspaceID, app } = await makeWorld(service)
    await createPerson(operator, { workspaceID, name: 'Linus', email: 'Torv@example.com' })
    const blind = await makeApp(service, operator, workspaceID, ['workspaces:read'])
    expect(await found('users', app.token, 'torv@EX')).toEqual(['Linus'])
    expect(await found('users', app.token, 'example')).toEqual([])
    expect(await found('users', blind.token, 'torv')).toEqual([])
    const list = 'query ($id: ID!) { workspace(id: $id) { users(search: "torv") { nodes { name } } } }'
    for (const [token, names] of [
      [operatorToken, [{ name: 'Linus' }]],
      [blind.token, []],
    ] as const) {
      const { data } = await service.graphql(token, list, { id: workspaceID })
      expect(data.workspace.users.nodes).toEqual(names)
    }
  })

  test('can be combined with an email address', async () => {
    const { operator, workspaceID, app } = await makeWorld(service)
    await createPerson(operator, { workspaceID, name: 'Deploy bot', email: 'bots@example.com' })
    const named = async (search: string) => {
      const query = `{ users(email: "bots@example.com", search: "${search}") { nodes { name } } }`
      return (await service.graphql(app.token, query)).data.users.nodes
    }
    expect(await named('deploy')).toEqual([{ name: 'Deploy bot' }])
    expect(await named('build')).toEqual([])
  })

  test('returns all users for a blank text', async () => {
    const { app } = await makeWorld(service)
    const all = await found('users', app.token, null)
    expect(all).toContain('Grace')
    for (const search of ['', ' \n']) expect(await found('users', app.token, search)).toEqual(all)
  })

  test('leaves out deleted users', async () => {
    const { operator, app, grace } = await makeWorld(service)
    await deletePerson(operator, { userID: grace.id })
    expect(await found('users', app.token, 'grace')).toEqual([])
  })

  test('finds nobody in another workspace', async () => {
    const [world, stranger] = [await makeWorld(service), await makeWorld(service)]
    await addPeople(world, ['Katherine'])
    expect(await found('users', stranger.app.token, 'katherine')).toEqual([])
  })
})

describe('groups(search:)', () => {
  test('ignores accents, also after the name has changed', async () => {
    const { operator, app, publicGroup } = await makeWorld(service)
    await updateGroup(operator, { groupID: publicGroup.id, name: 'Équipe d’été' })
    expect(await found('groups', app.token, "equipe d'ete")).toEqual(['Équipe d’été'])
    await updateGroup(operator, { groupID: publicGroup.id, name: 'Zespół' })
    expect(await found('groups', app.token, 'zespol')).toEqual(['Zespół'])
    expect(await found('groups', app.token, 'equipe')).toEqual([])
  })

  test('returns the groups that the caller can see and whose name matches', async () => {
    const { operator, workspaceID, app, as, ada } = await makeWorld(service)
    for (const name of ['Team builds', 'Rebuilds']) await createGroup(operator, { workspaceID, name })
    await createGroup(as(ada.id), { name: 'Builds of Ada', isPrivate: true })
    expect(await found('groups', app.token, 'build')).toEqual(['Builds', 'Team builds'])
    expect(await found('groups', app.token, 'leads')).toEqual([])
    expect(await found('groups', app.token, 'general')).toEqual(['General'])
    const list = 'query ($id: ID!) { workspace(id: $id) { groups(search: "build") { nodes { name } } } }'
    const { data } = await service.graphql(operatorToken, list, { id: workspaceID })
    expect(data.workspace.groups.nodes.map(({ name }: Named) => name)).toEqual([
      'Builds',
      'Team builds',
      'Builds of Ada',
    ])
  })

  test('returns pages', async () => {
    const { operator, workspaceID, app } = await makeWorld(service)
    for (const name of ['Team 1', 'Other', 'Team 2', 'Team 3'])
      await createGroup(operator, { workspaceID, name })
    const first = await pageOf('groups', app.token, { search: 'team', first: 2 })
    const { endCursor: after } = first.pageInfo
    const next = await pageOf('groups', app.token, { search: 'team', first: 2, after })
    expect([first.names, next.names]).toEqual([['Team 1', 'Team 2'], ['Team 3']])
  })
})

describe.each(['users', 'groups'] as const)('%s(search:)', (field) => {
  const codesOf = async (token: string, search: string) => {
    const { errors = [] } = await service.graphql(token, document(field), { search })
    return errors.map(({ extensions }) => extensions)
  }

  test('refuses a text that is too long or contains NUL, and names the field', async () => {
    const { app } = await makeWorld(service)
    for (const search of ['x'.repeat(101), 'a\0'])
      expect(await codesOf(app.token, search)).toMatchObject([
        { code: 'INVALID_INPUT', errors: [{ field: 'search' }] },
      ])
    expect(await codesOf(app.token, '.'.repeat(100))).toEqual([])
  })

  test('needs a token with the scope of the list', async () => {
    const { operator, workspaceID } = await makeWorld(service)
    const { token } = await makeApp(service, operator, workspaceID, ['threads:read'])
    expect(await codesOf('none', 'a')).toMatchObject([{ code: 'UNAUTHENTICATED' }])
    expect(await codesOf(token, 'a')).toMatchObject([{ code: 'INSUFFICIENT_SCOPE' }])
  })
})
