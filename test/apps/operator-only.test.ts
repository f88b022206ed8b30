import { buildASTSchema, isObjectType, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { typeDefs } from '../../src/generated/type-defs.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { sampleOf } from '../support/samples.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const schema = buildASTSchema(parse(typeDefs.join('\n')))

function operatorFieldsOf(typeName: string) {
  const type = schema.getType(typeName)
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  return fields.filter((field) => field.description?.endsWith('Requires the operator token.'))
}

describe('only the operator can', () => {
  const mutations = operatorFieldsOf('Mutation')

  test('call the mutations whose descriptions say so', () => {
    expect(mutations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['createSignInLink', 'createWorkspace']),
    )
  })

  test.each(mutations.map(({ name }) => name))('call %s', async (name) => {
    const { app } = await makeWorld(service)
    const [arg] = mutations.find((mutation) => mutation.name === name)?.args ?? []
    const document = arg
      ? `mutation ($input: ${arg.type}) { ${name}(input: $input) { __typename } }`
      : `mutation { ${name} { __typename } }`
    const variables = arg && { input: sampleOf(arg.type) }
    const answer = await service.graphql(app.token, document, variables)
    expect(answer.data).toEqual({ [name]: null })
    expect(answer.errors).toMatchObject([{ path: [name], extensions: { code: 'FORBIDDEN' } }])
    const nobody = await service.graphql('none', document, variables)
    expect(nobody.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test('look up webhooks and other apps by ID', async () => {
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
