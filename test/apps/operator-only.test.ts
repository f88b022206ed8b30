import { buildASTSchema, isObjectType, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { operatorTypeDefs, typeDefs } from '../../src/generated/type-defs.ts'
import { sameOrigin } from '../support/browser-session.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()
const publicSchema = buildASTSchema(parse(typeDefs.join('\n')))
const schema = buildASTSchema(parse([...typeDefs, ...operatorTypeDefs].join('\n')))

const names = ['Query', 'Mutation'].flatMap((typeName) => {
  const [type, publicType] = [schema.getType(typeName), publicSchema.getType(typeName)]
  if (!isObjectType(type) || !isObjectType(publicType)) return []
  return Object.keys(type.getFields()).filter((name) => !(name in publicType.getFields()))
})

describe('only the operator can', () => {
  test('use the fields that are not in the public schema', async () => {
    expect(names).toEqual(expect.arrayContaining(['createSignInLink', 'createWorkspace', 'operatorTokens']))
    const { app } = await makeWorld(service)
    for (const name of names) {
      const operation = name === 'operatorTokens' ? 'query' : 'mutation'
      const { errors } = await service.graphql(app.token, `${operation} { ${name} { __typename } }`)
      expect(errors?.[0]?.message).toContain(`Cannot query field "${name}"`)
    }
  })

  test('use /operator/graphql', async () => {
    const world = await makeWorld(service)
    const { cookie } = await signedIn(service, world, 'admin')
    const token = (value: string) => ({ authorization: `Bearer ${value}` })
    const ask = (headers: Record<string, string>) =>
      service.app.inject({
        method: 'POST',
        url: '/operator/graphql',
        headers,
        payload: { query: '{ __typename }' },
      })
    expect((await ask(token(operatorToken))).json()).toMatchObject({ data: { __typename: 'Query' } })
    for (const headers of [token(world.app.token), token('none'), { cookie, ...sameOrigin }, {}]) {
      const answer = await ask(headers)
      expect([answer.statusCode, answer.headers['www-authenticate']?.toString().split(' ')[0]]).toEqual([
        401,
        'Bearer',
      ])
      expect(answer.json().errors).toMatchObject([
        {
          message: expect.stringMatching(/requires an operator token|An operator token is required/),
          extensions: { code: 'UNAUTHENTICATED' },
        },
      ])
    }
  })

  test('look up any webhook and any app by ID', async () => {
    const { app, webhook, operator, workspaceID } = await makeWorld(service)
    const other = await makeApp(service, operator, workspaceID)
    const query = 'query ($id: ID!) { node(id: $id) { id } }'
    for (const id of [other.id, webhook.id]) {
      const answer = await service.graphql(app.token, query, { id })
      expect(answer).toEqual({ data: { node: null } })
      expect((await service.graphql(operatorToken, query, { id })).data.node).toEqual({ id })
    }
  })

  test('look up users and groups of every workspace by ID', async () => {
    const worlds = [await makeWorld(service), await makeWorld(service)]
    const ids = worlds.flatMap(({ ada, privateGroup }) => [ada.id, privateGroup.id])
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'
    const { data } = await service.graphql(operatorToken, query, { ids })
    expect(data.nodes).toEqual(ids.map((id) => ({ id })))
    const [own] = worlds
    const { nodes } = (await service.graphql(own?.app.token ?? '', query, { ids })).data
    expect(nodes.slice(2)).toEqual([null, null])
  })
})

test.each([
  'me { id }',
  'user(id: "x") { id }',
  'users { nodes { id } }',
  'group(id: "x") { id }',
  'groups { nodes { id } }',
  'thread(id: "x") { id }',
  'threads { nodes { id } }',
])('the operator is not a user and cannot query %s', async (field) => {
  const answer = await service.graphql(operatorToken, `{ ${field} }`)
  expect(answer.data?.[field.split(/\W/)[0] ?? ''] ?? null).toBeNull()
  expect(answer.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
})
