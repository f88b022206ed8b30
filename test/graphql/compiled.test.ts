import Fastify, { type FastifyInstance } from 'fastify'
import type { GraphQLResolveInfo } from 'graphql'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { AppError } from '../../src/errors.ts'
import { graphqlRoutes } from '../../src/graphql/plugin.ts'
import { newID } from '../../src/platform/ids.ts'
import { makeWorld, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import { unlimited } from '../support/unlimited.ts'

const { path } = unlimited
/** A document is compiled when it is received for the seventh time. */
const often = 8

const typeDefs = [
  `type Query {
    compiled: Boolean!
    echo(text: String = "you", number: Int, color: Color = red, id: ID, ids: [ID!], input: Input): String!
    must(number: Int! = 1): Int
    pet: Pet
    pets: [Pet]!
    stray: Pet
    strict: Strict
    dogs(first: Int): DogConnection!
  }
  type Mutation { compiled: Boolean! count(input: Input): String! }
  input Input { a: String b: String = "b" }
  enum Color { red green }
  interface Pet { name: String! mother: Pet }
  type Dog implements Pet { name: String! mother: Pet barks: Boolean! }
  type Cat implements Pet { name: String! mother: Pet lives: Int }
  type Strict { inner: Strict! deep: [Strict!]! leaf: String! maybe: String }
  type DogConnection { nodes: [Dog!]! }`,
]

const cat = { __typename: 'Cat', name: 'Tom', lives: 9 }
const dog = { __typename: 'Dog', name: 'Rex', barks: true, mother: cat }
const denied = new AppError('forbidden', 'Not this one.')
let count = 0

/** Only graphql-js sets `typename` in the path of a field. Compiled code does not. */
function compiled(_root: unknown, _args: unknown, _ctx: Context, { path }: GraphQLResolveInfo) {
  return path.typename === undefined
}

function echo(_root: unknown, args: object) {
  return JSON.stringify(args, Object.keys({ ...args, a: 0, b: 0 }).sort())
}

const resolvers = {
  Query: {
    compiled,
    echo,
    must: (_root: unknown, { number }: { number: number }) => number,
    pet: async () => dog,
    pets: () => [dog, denied, cat, null, { ...cat, name: null }, { ...cat, lives: 'no Int' }],
    stray: async () => ({ name: 'who knows' }),
    strict: () => ({ inner: { leaf: 'x' }, deep: [{ leaf: 'x' }, { leaf: null }], leaf: 'x' }),
    dogs: () => ({ nodes: [dog] }),
  },
  Strict: {
    maybe: ({ leaf }: { leaf: string | null }) => {
      if (leaf === null) throw denied
      return leaf
    },
    inner: async ({ inner }: { inner?: object }) => {
      if (!inner) throw denied
      return inner
    },
  },
  Mutation: { compiled, count: (root: unknown, args: object) => `${++count} ${echo(root, args)}` },
}

function contextOfCaller(userID: string): Context {
  return { db: {}, actor: { kind: 'user', workspaceID: '', userID, scopes: new Set() } } as unknown as Context
}

const usual = 'usr_usual'
let caller = usual

/** Runs `act` as another caller. */
async function as(name: string, act: () => Promise<void>): Promise<void> {
  caller = name
  await act()
  caller = usual
}

let app: FastifyInstance

// Each test has its own cache of documents.
beforeEach(async () => {
  app = Fastify({ genReqId: () => 'request-1' })
  onTestFinished(() => app.close())
  await app.register(graphqlRoutes, {
    ...unlimited,
    typeDefs,
    resolvers,
    contextOf: async () => contextOfCaller(caller),
  })
  count = 0
})

type Failure = { path: unknown[]; message: string; extensions: { code: string } }
// biome-ignore lint/suspicious/noExplicitAny: each test states the response that it expects
type Answer = { data?: any; errors?: Failure[] }
type Parameters = { query: string; variables?: object | undefined; operationName?: string | undefined }

async function ask(payload: Parameters): Promise<Answer> {
  const answer: Answer = (await app.inject({ method: 'POST', url: path, payload })).json()
  // The order in which fields fail is not guaranteed.
  answer.errors?.sort((one, other) => String(one.path).localeCompare(String(other.path)))
  return answer
}

/** Sends an operation until it is compiled, expects equal answers, and returns the last one. */
async function askOften(parameters: Parameters) {
  const answers: (Answer & { compiled: boolean })[] = []
  while (answers.length < often) {
    const { data, ...rest } = await ask(parameters)
    const { compiled, ...others } = data
    answers.push({ ...rest, data: others, compiled })
  }
  const [first, last] = [answers[0], answers.at(-1)]
  expect(first?.compiled).toBe(false)
  for (const answer of answers) expect({ ...answer, compiled: false }).toEqual(first)
  return last as Answer & { compiled: boolean }
}

describe('a frequent document is compiled, and has the same answer as before, for', () => {
  test.each<[string, string, object?]>([
    ['constants', `{ compiled echo(number: 3, color: green, id: "${newID('thr')}") }`],
    ['variables', 'query ($n: Int = 2, $c: Color) { compiled echo(number: $n, color: $c) }', { c: 'green' }],
    [
      'nulls',
      'query ($t: String, $n: Int = 2) { compiled echo(text: $t, number: $n) }',
      { t: null, n: null },
    ],
    ['a list', 'query ($ids: [ID!]) { compiled echo(ids: $ids) }', { ids: ['a', 2] }],
    ['one value for a list', 'query One($ids: [ID!]) { compiled echo(ids: $ids) }', { ids: 'a' }],
    ['an object', 'query ($in: Input) { compiled echo(input: $in) }', { in: { a: null } }],
    ['types', '{ compiled pet { __typename ... on Dog { n: name } mother { name ... on Cat { lives } } } }'],
    [
      'fragments',
      '{ compiled pet { ...A } } fragment A on Pet { ...B mother { ...B } } fragment B on Pet { name }',
    ],
    ['a repeated field', '{ compiled pet { mother { name } mother { ... on Cat { lives } } } }'],
    ['introspection', '{ compiled __schema { queryType { name fields { name type { kind } } } } }'],
  ])('%s', async (_what, query, variables) => {
    const { errors, compiled } = await askOften({ query, variables })
    expect({ errors, compiled }).toEqual({ compiled: true })
  })

  test('errors in a list, each at its position', async () => {
    const answer = await askOften({ query: '{ compiled pets { name ... on Cat { lives } } }' })
    const [rex, tom] = [{ name: 'Rex' }, { name: 'Tom', lives: 9 }]
    expect(answer.data.pets).toEqual([rex, null, tom, null, null, { ...tom, lives: null }])
    expect(answer.compiled).toBe(true)
    expect(answer.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['pets', 1], 'FORBIDDEN'],
      [['pets', 4, 'name'], 'INTERNAL'],
      [['pets', 5, 'lives'], 'INTERNAL'],
    ])
  })

  test.each([
    ['{ compiled strict { leaf inner { inner { leaf } } } }', ['strict', 'inner', 'inner'], null],
    ['{ compiled strict { leaf deep { leaf } } }', ['strict', 'deep', 1, 'leaf'], null],
    [
      '{ compiled strict { deep { maybe } } }',
      ['strict', 'deep', 1, 'maybe'],
      [{ maybe: 'x' }, { maybe: null }],
    ],
  ])('a nested error, which sets the nearest nullable field to null: %s', async (query, at, deep) => {
    const { errors, data, compiled } = await askOften({ query })
    expect({ data, compiled }).toEqual({ data: { strict: deep && { deep } }, compiled: true })
    expect(errors?.map(({ path }) => path)).toEqual([at])
  })

  test('a value of an unknown type', async () => {
    const answer = await askOften({ query: '{ compiled stray { name } }' })
    expect(answer).toMatchObject({ compiled: true, data: { stray: null } })
    expect(answer.errors).toMatchObject([{ path: ['stray'], extensions: { code: 'INTERNAL' } }])
  })

  test('changing variables', async () => {
    const query = 'query ($n: Int!) { compiled must(number: $n) }'
    for (let n = 1; n <= often; n++) {
      expect(await ask({ query, variables: { n } })).toEqual({ data: { compiled: n > 6, must: n } })
    }
  })
})

test('documents of another caller do not evict a compiled document', async () => {
  const query = '{ compiled echo(number: 41) }'
  await askOften({ query })
  await as('hostile', async () => {
    for (let n = 0; n < 300; n++)
      for (let turn = 0; turn < 2; turn++) await ask({ query: `{ compiled } # ${n}` })
  })
  expect(await ask({ query })).toMatchObject({ data: { compiled: true } })
})

describe('operationName', () => {
  const query =
    'query A { compiled must(number: 1) } query B { compiled must(number: 2) } mutation C { count }'

  test('selects one of several operations in a document', async () => {
    for (let turn = 1; turn <= often; turn++) {
      for (const [operationName, must] of [
        ['A', 1],
        ['B', 2],
      ] as const) {
        expect(await ask({ query, operationName })).toEqual({ data: { compiled: turn > 6, must } })
      }
    }
  })

  test.each([
    undefined,
    'D',
    'A B',
    'A"',
    'A\nquery E { compiled }',
    '#',
    '__proto__',
  ])('is refused if it is %j', async (operationName) => {
    for (let turn = 1; turn <= often; turn++) {
      const { data, errors } = await ask({ query, operationName })
      expect([data, errors?.[0]?.extensions.code]).toEqual([undefined, 'INVALID_INPUT'])
    }
  })

  test('cannot select a mutation by GET, even if the document is compiled', async () => {
    const get = (operationName: string) =>
      app.inject({ method: 'GET', url: path, query: { query, operationName } })
    for (let turn = 1; turn <= often; turn++) {
      expect([(await get('A')).statusCode, (await get('C')).statusCode]).toEqual([200, 405])
    }
    expect(count).toBe(0)
  })
})

describe('a compiled document refuses', () => {
  test.each([
    ['query ($n: Int) { compiled echo(number: $n) }', { n: 1 }, { n: 'one' }],
    ['query Bad($ids: [ID!]) { compiled echo(ids: $ids) }', { ids: [] }, { ids: [null] }],
    ['query ($c: Color!) { compiled echo(color: $c) }', { c: 'red' }, {}],
    ['query ($c: Color) { compiled echo(color: $c) }', { c: 'red' }, { c: 'blue' }],
    ['query Bad($in: Input) { compiled echo(input: $in) }', { in: {} }, { in: { c: 1 } }],
  ])('invalid variables: %s', async (query, good, variables) => {
    expect(await askOften({ query, variables: good })).toMatchObject({ compiled: true })
    const { data, errors } = await ask({ query, variables })
    expect([data, errors?.length, errors?.[0]?.extensions.code]).toEqual([undefined, 1, 'INVALID_INPUT'])
    expect(errors?.[0]?.message).toMatch(/^Variable "\$/)
  })

  test('deeply nested variables', async () => {
    const query = 'query Deep($ids: [ID!]) { compiled echo(ids: $ids) }'
    expect(await askOften({ query, variables: { ids: [] } })).toMatchObject({ compiled: true })
    const payload = `{"query":"${query}","variables":{"ids":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: path, headers, payload })
    expect(answer.json().errors[0].extensions.code).toBe('INVALID_INPUT')
  })

  test('null for a non-null argument', async () => {
    const query = 'query ($n: Int = 1) { compiled must(number: $n) }'
    expect(await askOften({ query })).toMatchObject({ compiled: true, data: { must: 1 } })
    const { data, errors } = await ask({ query, variables: { n: null } })
    expect(data).toEqual({ compiled: true, must: null })
    expect(errors).toMatchObject([{ path: ['must'], extensions: { code: 'INVALID_INPUT' } }])
  })

  test('variables that select too many nodes', async () => {
    const query = 'query ($n: Int) { compiled dogs(first: $n) { nodes { name } } }'
    expect(await askOften({ query, variables: { n: 1 } })).toMatchObject({ compiled: true })
    const { data, errors } = await ask({ query, variables: { n: 1_000_000 } })
    expect([data, errors?.[0]?.message]).toEqual([undefined, expect.stringContaining('The limit is 200000.')])
  })
})

describe('a document is never compiled if it has', () => {
  test.each<[string, string, object?]>([
    ['a string that is not an ID', '{ compiled echo(text: "x") }'],
    ['a string as a default', 'query ($t: String = "x") { compiled echo(text: $t) }'],
    ['a variable in an object', 'query ($b: String) { compiled echo(input: { b: $b }) }'],
    ['a directive', 'query ($a: Boolean!) { compiled echo @skip(if: $a) }', { a: true }],
    ['a name that every JavaScript object has', '{ compiled pet { constructor: name __proto__: name } }'],
    ['a long name', `{ compiled ${'n'.repeat(65)}: echo }`],
    [
      'more than 100 fields',
      `{ compiled pet { ${Array.from({ length: 99 }, (_, n) => `n${n}: name`).join(' ')} } }`,
    ],
  ])('%s', async (_what, query, variables) => {
    const { errors, compiled } = await askOften({ query, variables })
    expect({ errors, compiled }).toEqual({ compiled: false })
  })

  test('a mutation, so that an omitted variable does not become null', async () => {
    const query = 'mutation ($a: String) { compiled count(input: { a: $a }) }'
    for (let turn = 1; turn <= often; turn++) {
      expect(await ask({ query })).toEqual({
        data: { compiled: false, count: `${turn} {"input":{"b":"b"}}` },
      })
    }
  })

  test('a fragment that is included twice', async () => {
    const query = `query ($a: Boolean!, $b: Boolean!) {
      compiled pet { ...F @include(if: $a) ...F @include(if: $b) }
    } fragment F on Pet { name }`
    for (const variables of [
      { a: false, b: true },
      { a: true, b: false },
    ]) {
      expect(await askOften({ query, variables })).toMatchObject({
        compiled: false,
        data: { pet: { name: 'Rex' } },
      })
    }
  })

  test('a string that contains code', async () => {
    const mark = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d'
    for (const text of [
      `${mark}globalThis.injected=1`,
      mark.replace('_', '\\u005f'),
      "'+(globalThis.injected=1)+'",
    ]) {
      const { data, compiled } = await askOften({ query: `{ compiled echo(text: "${text}") }` })
      expect(compiled).toBe(false)
      expect(JSON.parse(data.echo).text).toBe(JSON.parse(`"${text}"`))
    }
    expect(globalThis).not.toHaveProperty('injected')
  })
})

test('a node that fails does not change the positions of the other nodes, before and after the compilation', async () => {
  const service = await startService()
  const world = await makeWorld(service, ['threads:read'])
  const { thread } = await say(world.as(world.ada.id), [world.app.userID], 'Hello')
  const ids = [world.ada.id, thread.id, newID('thr'), thread.id, world.grace.id]
  for (let turn = 1; turn <= often; turn++) {
    const answer = await service.graphql(
      world.app.token,
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids },
    )
    expect(answer.data.nodes).toEqual([null, { id: thread.id }, null, { id: thread.id }, null])
    expect(answer.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['nodes', 0], 'INSUFFICIENT_SCOPE'],
      [['nodes', 4], 'INSUFFICIENT_SCOPE'],
    ])
  }
})
