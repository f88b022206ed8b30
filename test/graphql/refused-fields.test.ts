import { buildASTSchema, type GraphQLField, getNamedType, isLeafType, isObjectType, parse } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { typeDefs } from '../../src/generated/type-defs.ts'
import type { Scope } from '../../src/scopes.ts'
import { makeApp, makeWorld, say, type World } from '../support/factories.ts'
import { sampleOf } from '../support/samples.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const schema = buildASTSchema(parse(typeDefs.join('\n')))

let world: World
let threadID: string
beforeAll(async () => {
  world = await makeWorld(service)
  const { as, ada, publicGroup } = world
  threadID = (await say(as(ada.id), [publicGroup.id], 'x', 'Subject')).thread.id
})

/** For each type: an operation that returns an object of the type, and the fewest scopes that it needs. */
const ways: [type: string, scopes: Scope[], way: (world: World) => string][] = [
  ['User', [], () => 'query { me { ALL } }'],
  [
    'Workspace',
    ['workspaces:read'],
    ({ workspaceID }) => `query { workspace(id: "${workspaceID}") { ALL } }`,
  ],
  [
    'Group',
    ['groups:write'],
    ({ publicGroup }) => `mutation { joinGroup(input: { groupID: "${publicGroup.id}" }) { group { ALL } } }`,
  ],
  ['Thread', ['threads.messages:write'], () => sending('thread')],
  ['Message', ['threads.messages:write'], () => sending('message')],
]

const sending = (field: string) =>
  `mutation { sendMessage(input: { threadID: "${threadID}", message: { text: "x" } }) { ${field} { ALL } } }`

describe.each(ways)('a %s, for a token with the scopes [%s]', (typeName, scopes, way) => {
  const fields = fieldsOf(typeName)
  const ask = async () => {
    const { token } = await makeApp(service, world.operator, world.workspaceID, scopes)
    const { data, errors = [] } = await service.graphql(token, way(world).replace('ALL', selectionOf(fields)))
    const path = errors[0]?.path?.slice(0, -1) ?? []
    const object = path.reduce((value, key) => value[key], data)
    return { object, path, errors }
  }

  test('returns every field that is not refused', async () => {
    const { object, path, errors } = await ask()
    const refused = errors.map((error) => error.path?.at(-1))
    expect(refused.length).toBeGreaterThan(0)
    expect(errors.map((error) => error.path)).toEqual(refused.map((name) => [...path, name]))
    for (const { name, type } of fields) {
      if (refused.includes(name)) expect([name, object[name]]).toEqual([name, null])
      else if (`${type}`.endsWith('!')) expect([name, object[name] ?? null]).not.toEqual([name, null])
    }
  })

  test('describes the requirement of each refused field', async () => {
    const { errors } = await ask()
    for (const { path, extensions } of errors) {
      const description = fields.find(({ name }) => name === path?.at(-1))?.description?.replace(/\s+/g, ' ')
      const required = extensions.requiredScope
        ? `the scope ${extensions.requiredScope}`
        : 'the operator token'
      expect(extensions).toMatchObject(
        extensions.requiredScope
          ? { code: 'INSUFFICIENT_SCOPE', grantedScopes: scopes }
          : { code: 'FORBIDDEN' },
      )
      expect([path, description]).toEqual([path, expect.stringMatching(` Requires ${required}[.,]`)])
    }
  })
})

test('a refused query does not affect the other queries of the operation', async () => {
  const { token } = await makeApp(service, world.operator, world.workspaceID, [])
  const queries = fieldsOf('Query').filter(({ name }) => !name.startsWith('node'))
  const own = `own: __typename ${queries.map(callOf).join(' ')}`
  const answer = await service.graphql(token, `{ ${own} }`)
  const open = ['events', 'latestEventCursor', 'me', 'viewer']
  const refused = queries.map(({ name }) => name).filter((name) => !open.includes(name))
  expect(answer.errors?.map(({ path }) => path?.join()).sort()).toEqual(refused.sort())
  expect(answer.data).toMatchObject({ own: 'Query', me: { __typename: 'User' } })
  const operator = await service.graphql(
    operatorToken,
    '{ me { id } threads { nodes { id } } workspaces { nodes { id } } }',
  )
  expect(operator.data).toMatchObject({ me: null, threads: null, workspaces: { nodes: expect.any(Array) } })
})

function fieldsOf(typeName: string): GraphQLField<unknown, unknown>[] {
  const type = schema.getType(typeName)
  return isObjectType(type) ? Object.values(type.getFields()) : []
}

function selectionOf(fields: GraphQLField<unknown, unknown>[]): string {
  return fields.map(callOf).join(' ')
}

/** Selects the field. Its required arguments have sample values. Of an object, only `__typename` is selected. */
function callOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const needed = args.filter((arg) => `${arg.type}`.endsWith('!'))
  const given = needed.map((arg) => `${arg.name}: ${JSON.stringify(sampleOf(arg.type))}`).join(', ')
  return `${name}${given && `(${given})`} ${isLeafType(getNamedType(type)) ? '' : '{ __typename }'}`
}
