import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, say } from '../support/factories.ts'
import { mutate, mutated } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'

const service = await startService()

describe('me', () => {
  test('is the user of the token', async () => {
    const { app } = await makeWorld(service)
    const answer = await service.graphql(app.token, '{ me { id name kind createdAt deletedAt } }')
    expect(answer.data.me).toEqual({
      id: app.userID,
      name: 'Robot',
      kind: 'app',
      createdAt: expect.stringMatching(/Z$/),
      deletedAt: null,
    })
  })

  test('needs a token, and is not available to the operator, who is not a user', async () => {
    expect(codesOf(await service.graphql('none', '{ me { id } }'))).toEqual(['UNAUTHENTICATED'])
    const operator = await service.graphql(operatorToken, '{ me { id } }')
    expect([operator.data, codesOf(operator)]).toEqual([{ me: null }, ['FORBIDDEN']])
  })
})

describe('user', () => {
  const query = 'query ($id: ID!) { user(id: $id) { id name kind deletedAt email } }'

  test('returns a person, an app user or a webhook user, even if it is deleted', async () => {
    const { app, grace, webhook, operator } = await makeWorld(service)
    await deletePerson(operator, { userID: grace.id })
    const look = async (id: string) => (await service.graphql(app.token, query, { id })).data.user
    expect(await look(webhook.userID)).toMatchObject({ name: 'Alerts', kind: 'webhook', deletedAt: null })
    expect(await look(app.userID)).toMatchObject({ name: 'Robot', kind: 'app' })
    expect(await look(grace.id)).toMatchObject({
      name: 'Grace',
      kind: 'person',
      deletedAt: expect.stringMatching(/Z$/),
    })
  })

  test('has an email address for the operator, and for apps with users.email:read', async () => {
    const { app, operator, workspaceID } = await makeWorld(service, ['workspaces:read'])
    const person = await createPerson(operator, { workspaceID, name: 'P', email: 'p@example.com' })
    const ask = async (token: string) => (await service.graphql(token, query, { id: person.id })).data.user
    expect(await ask(app.token)).toMatchObject({ name: 'P', email: null })
    const reader = await makeApp(service, operator, workspaceID, ['workspaces:read', 'users.email:read'])
    expect(await ask(reader.token)).toMatchObject({ name: 'P', email: 'p@example.com' })
    const list = 'query ($id: ID!) { workspace(id: $id) { users { nodes { name email } } } }'
    const asOperator = await service.graphql(operatorToken, list, { id: workspaceID })
    expect(asOperator.data.workspace.users.nodes).toContainEqual({ name: 'P', email: 'p@example.com' })
  })

  test('returns NOT_FOUND for an unknown user and for a user of another workspace', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    for (const id of [newID('usr'), other.ada.id, world.publicGroup.id, 'x']) {
      const answer = await service.graphql(world.app.token, query, { id })
      expect([answer.data, codesOf(answer)]).toEqual([{ user: null }, ['NOT_FOUND']])
    }
  })
})

describe('users', () => {
  const query = `query ($first: Int, $after: String, $last: Int) { users(first: $first, after: $after, last: $last) {
    nodes { id } pageInfo { hasNextPage endCursor } } }`

  test('returns the users of the workspace in order of creation, in pages', async () => {
    const { app, ada, grace, webhook } = await makeWorld(service)
    const page = async (args: object) => (await service.graphql(app.token, query, args)).data.users
    const all = await page({})
    expect(all.nodes.map(({ id }: { id: string }) => id)).toEqual([
      ada.id,
      grace.id,
      webhook.userID,
      app.userID,
    ])
    const first = await page({ first: 3 })
    const rest = await page({ first: 3, after: first.pageInfo.endCursor })
    expect([...first.nodes, ...rest.nodes]).toEqual(all.nodes)
    expect((await page({ last: 2 })).nodes).toEqual(all.nodes.slice(2))
  })

  test('does not return deleted users, but their messages still show their names', async () => {
    const world = await makeWorld(service)
    const { app, ada, grace, operator, workspaceID, as } = world
    const { message } = await say(as(grace.id), [workspaceID], 'x')
    await deletePerson(operator, { userID: grace.id })
    const listed = (await service.graphql(app.token, query)).data.users.nodes.map(
      ({ id }: { id: string }) => id,
    )
    expect(listed).toContain(ada.id)
    expect(listed).not.toContain(grace.id)
    const ofMessage = 'query ($id: ID!) { node(id: $id) { ... on Message { user { id name deletedAt } } } }'
    const answer = await service.graphql(app.token, ofMessage, { id: message.id })
    expect(answer.data.node.user).toEqual({ id: grace.id, name: 'Grace', deletedAt: expect.any(String) })
  })

  test('refuses invalid limits and cursors', async () => {
    const { app } = await makeWorld(service)
    for (const args of [{ first: 101 }, { first: -1 }, { first: 1, last: 1 }, { after: 'x' }]) {
      expect(codesOf(await service.graphql(app.token, query, args))).toEqual(['INVALID_INPUT'])
    }
  })
})

describe('updateUser', () => {
  test('changes the given fields, and null removes the email address', async () => {
    const { operator, workspaceID } = await makeWorld(service)
    const person = await createPerson(operator, { workspaceID, name: 'P', email: 'p@example.com' })
    const change = async (input: object) => {
      const given = { userID: person.id, ...input }
      return (await mutated(service, operatorToken, 'updateUser', given, 'user { id name email }')).user
    }
    expect(await change({ name: '  Q  ' })).toEqual({ id: person.id, name: 'Q', email: 'p@example.com' })
    expect(await change({ email: 'q@example.com' })).toEqual({
      id: person.id,
      name: 'Q',
      email: 'q@example.com',
    })
    expect(await change({ name: null })).toEqual({ id: person.id, name: 'Q', email: 'q@example.com' })
    expect(await change({ email: null })).toEqual({ id: person.id, name: 'Q', email: null })
  })

  test('names every invalid field', async () => {
    const { ada } = await makeWorld(service)
    for (const [input, fields] of [
      [{ name: ' ' }, ['name']],
      [{ name: 'n'.repeat(101), email: 'nobody' }, ['name', 'email']],
      [{ userID: '', name: 'a\0b' }, ['userID', 'name']],
    ] as const) {
      const given = { userID: ada.id, ...input }
      const answer = await mutate(service, operatorToken, 'updateUser', given, 'user { id }')
      const errors = answer.errors?.[0]?.extensions.errors as { field: string }[]
      expect([codesOf(answer), errors.map(({ field }) => field)]).toEqual([['INVALID_INPUT'], fields])
    }
  })

  test('returns NOT_FOUND for apps, webhooks, deleted people and unknown users', async () => {
    const { app, webhook, grace, operator } = await makeWorld(service)
    await deletePerson(operator, { userID: grace.id })
    for (const userID of [app.userID, webhook.userID, grace.id, newID('usr')]) {
      const input = { userID, name: 'X' }
      const answer = await mutate(service, operatorToken, 'updateUser', input, 'user { id }')
      expect([answer.data, codesOf(answer)]).toEqual([{ updateUser: null }, ['NOT_FOUND']])
    }
  })
})

describe('users(email:)', () => {
  const byEmail =
    'query ($email: String) { users(email: $email, first: 2) { nodes { name } pageInfo { hasNextPage endCursor } } }'

  async function withPeople() {
    const world = await makeWorld(service)
    const { operator, workspaceID } = world
    const add = (name: string, email?: string) => createPerson(operator, { workspaceID, name, email })
    const { id: userID } = await add('Gone', 'team@example.com')
    await deletePerson(operator, { userID })
    await add('One', 'Team@Example.com')
    await add('Other', 'other@example.com')
    return world
  }

  test('returns the user with the email address, and ignores case', async () => {
    const { app } = await withPeople()
    const { users } = (await service.graphql(app.token, byEmail, { email: 'team@EXAMPLE.com' })).data
    expect(users).toEqual({
      nodes: [{ name: 'One' }],
      pageInfo: expect.objectContaining({ hasNextPage: false }),
    })
    expect((await service.graphql(app.token, byEmail, { email: 'nobody' })).data.users.nodes).toEqual([])
  })

  test('works for the operator, and for apps with users.email:read in their own workspace', async () => {
    const { operator, workspaceID, app } = await withPeople()
    const without = await makeApp(service, operator, workspaceID, ['workspaces:read'])
    const refused = await service.graphql(without.token, byEmail, { email: 'team@example.com' })
    expect(refused.errors).toMatchObject([{ message: expect.stringContaining('users.email:read') }])
    expect((await service.graphql(without.token, byEmail, { email: null })).errors).toBeUndefined()
    const only = await makeApp(service, operator, workspaceID, ['users.email:read'])
    expect((await service.graphql(only.token, byEmail, { email: 'x' })).errors).toHaveLength(1)
    const stranger = await makeWorld(service)
    const found = await service.graphql(stranger.app.token, byEmail, { email: 'team@example.com' })
    expect(found.data.users.nodes).toEqual([])
    const list =
      'query ($id: ID!) { workspace(id: $id) { users(email: "other@example.com") { nodes { name } } } }'
    for (const token of [operatorToken, app.token]) {
      const { data } = await service.graphql(token, list, { id: workspaceID })
      expect(data.workspace.users.nodes).toEqual([{ name: 'Other' }])
    }
  })

  test('refuses a value that cannot be an email address, and names the field', async () => {
    const { app } = await withPeople()
    for (const email of ['\0', 'x'.repeat(255)]) {
      const { errors } = await service.graphql(app.token, byEmail, { email })
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', errors: [{ field: 'email' }] })
    }
  })
})
