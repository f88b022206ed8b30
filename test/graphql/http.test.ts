import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { GraphQLError, getIntrospectionQuery } from 'graphql'
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { AppError, invalidInput } from '../../src/errors.ts'
import { graphqlRoutes } from '../../src/graphql/plugin.ts'
import { unlimited } from '../support/unlimited.ts'

const { path } = unlimited
const maxBodyBytes = 256 * 1024
const graphqlJSON = 'application/graphql-response+json'
const operatorContext = { db: {}, actor: { kind: 'operator' } } as Context
const contexts = new Map([['good', operatorContext]])

const typeDefs = [
  'type Query type Mutation',
  `extend type Query {
    me: Query
    hello(name: String! = "you"): String!
    caller: String
    sum(numbers: [Int]): Int
    depth(input: Nested): String
    anything(json: JSON): String
    node: Node
    refuses: String
    fails: String
    manyFail: [String]
    fatal: String!
    missing: String!
    mistyped: Int
    speaks: String
    away: String
  }
  interface Node { id: ID! }
  type Thing implements Node { id: ID! }
  input Nested { inner: Nested }
  scalar JSON`,
  'extend type Mutation { count: Int! }',
]

let count = 0
const sameFailure = new Error('a secret of the loader')
const resolvers = {
  Query: {
    me: () => ({}),
    hello: (_root: unknown, { name }: { name: string }) => `Hello, ${name}`,
    caller: (_root: unknown, _args: unknown, ctx: Context) => ctx.actor.kind,
    sum: (_root: unknown, { numbers }: { numbers: number[] }) => numbers.reduce((a, b) => a + b, 0),
    node: () => ({ id: 'a' }),
    refuses: () => {
      throw invalidInput([
        { field: 'name', message: 'is required' },
        { field: 'email', message: 'must be an address' },
      ])
    },
    fails: () => {
      throw new Error('a secret, at /srv/app.js')
    },
    manyFail: () => [Promise.reject(sameFailure), Promise.reject(sameFailure)],
    fatal: () => {
      throw new AppError('not_found', 'There is no such thing.')
    },
    missing: () => null,
    mistyped: () => 'a secret that is no Int',
    speaks: () => {
      throw new GraphQLError('a secret in a GraphQLError', { extensions: { code: 'SECRET' } })
    },
    away: () => {
      throw new AppError('unavailable', 'The database is unavailable.', { cause: new Error('ECONNREFUSED') })
    },
  },
  Node: { __resolveType: () => 'Thing' },
  Mutation: { count: () => ++count },
}

let app: FastifyInstance
let address: string
let logged: { level: number; err: { message: string } }[] = []

beforeAll(async () => {
  const stream = { write: (line: string) => logged.push(JSON.parse(line)) }
  app = Fastify({ logger: { level: 'warn', stream }, genReqId: () => 'request-1' })
  await app.register(graphqlRoutes, {
    ...unlimited,
    typeDefs,
    resolvers,
    maxBodyBytes,
    contextOf: async ({ headers }) => {
      const context = contexts.get(headers.authorization?.replace(/^Bearer /i, '') ?? '')
      if (headers.authorization === 'Bearer broken') throw new Error('a secret of the token table')
      if (headers.authorization === 'Bearer busy') {
        throw new AppError('rate_limited', 'Wait a little.', { retryAfterSeconds: 7 })
      }
      if (!context) throw new AppError('unauthenticated', 'Send an access token.')
      return context
    },
  })
  app.post('/elsewhere', async (request) => request.body)
  address = await app.listen({ host: '127.0.0.1', port: 0 })
})

beforeEach(() => {
  logged = []
  count = 0
})

afterAll(() => app.close())

type Headers = Record<string, string | undefined>

async function request({ headers, ...options }: Omit<InjectOptions, 'headers'> & { headers?: Headers }) {
  const sent = Object.entries({ authorization: 'Bearer good', ...headers }).filter(
    ([, value]) => value !== undefined,
  )
  const response = await app.inject({ url: path, ...options, headers: Object.fromEntries(sent) })
  expect(response.body).not.toMatch(/secret|\/srv|node_modules|call stack|public\/graphql/)
  expect(response.headers['content-type']).toMatch(/^application\/(graphql-response\+)?json; charset=utf-8$/)
  const body = response.json()
  return { status: response.statusCode, headers: response.headers, body, error: body.errors?.[0] }
}

function post(payload: InjectOptions['payload'], headers: Headers = {}) {
  return request({ method: 'POST', payload, headers: { 'content-type': 'application/json', ...headers } })
}

function ask(query: string, variables?: unknown, operationName?: string) {
  return post({ query, variables, operationName } as object, { accept: graphqlJSON })
}

function get(query: Record<string, string | string[]>, accept = graphqlJSON) {
  return request({ method: 'GET', query, headers: { accept } })
}

describe('the audits of graphql-http', () => {
  const audits = serverAudits({
    url: () => address + path,
    fetchFn: (url: string, init?: RequestInit) =>
      fetch(url, { ...init, headers: { ...init?.headers, authorization: 'Bearer good' } }),
  })

  test('are 61 in total', () => {
    expect(audits).toHaveLength(61)
  })

  test.each(audits.map((audit) => [audit.id, audit.name, audit.fn]))('%s: %s', async (_id, _name, run) => {
    const result = await run()
    expect(result.status === 'ok' ? '' : result.reason).toBe('')
  })
})

describe('a query', () => {
  test('returns the data that it selects', async () => {
    const { status, body } = await ask('query A($name: String!) { hello(name: $name) }', { name: 'Ann' })
    expect(status).toBe(200)
    expect(body).toEqual({ data: { hello: 'Hello, Ann' } })
  })

  test('runs in a copy of the context of the caller', async () => {
    const { body } = await ask('{ caller }')
    expect(body).toEqual({ data: { caller: 'operator' } })
    expect(contexts.get('good')).toEqual({ db: {}, actor: { kind: 'operator' } })
  })

  test('runs the operation with the given operationName', async () => {
    const source = 'query A { hello } query B { caller }'
    expect((await ask(source, undefined, 'B')).body).toEqual({ data: { caller: 'operator' } })
    expect((await ask(source, undefined, 'A')).body).toEqual({ data: { hello: 'Hello, you' } })
  })

  test('runs by GET, with its variables as JSON in the URL', async () => {
    const query = 'query A($name: String!) { hello(name: $name) }'
    const { status, body } = await get({
      query,
      variables: '{"name":"Ann"}',
      operationName: '',
      extensions: '',
    })
    expect({ status, body }).toEqual({ status: 200, body: { data: { hello: 'Hello, Ann' } } })
  })

  test('resolves the type of an interface with __resolveType', async () => {
    expect((await ask('{ node { __typename id } }')).body.data.node).toEqual({ __typename: 'Thing', id: 'a' })
  })

  test('can be the standard introspection query', async () => {
    const { status, body } = await ask(getIntrospectionQuery())
    expect(status).toBe(200)
    expect(body.data.__schema.queryType.name).toBe('Query')
  })

  test('returns the same answer when its document is cached', async () => {
    const twice = async (source: string, variables?: unknown) => {
      const first = await ask(source, variables)
      expect(await ask(source, variables)).toMatchObject({ status: first.status, body: first.body })
      return first
    }
    expect((await twice('query C($name: String!) { hello(name: $name) }', { name: 'x' })).status).toBe(200)
    expect((await twice('query C($name: String!) { hello(name: $name) }', {})).error.extensions.code).toBe(
      'INVALID_INPUT',
    )
    expect((await twice('{ cachedMistake }')).error.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    expect((await twice('query C { me')).error.extensions.code).toBe('GRAPHQL_PARSE_FAILED')
  })
})

describe('a mutation', () => {
  test('runs by POST', async () => {
    expect((await ask('mutation { count }')).body).toEqual({ data: { count: 1 } })
  })

  test('does not run by GET', async () => {
    const { status, headers, error } = await get({ query: 'mutation { count }' })
    expect(status).toBe(405)
    expect(headers.allow).toBe('POST')
    expect(error.extensions.code).toBe('METHOD_NOT_ALLOWED')
    const named = await get({ query: 'query A { hello } mutation B { count }', operationName: 'B' })
    expect(named.status).toBe(405)
    expect(count).toBe(0)
  })

  test('does not run by HEAD', async () => {
    const response = await app.inject({ method: 'HEAD', url: path, query: { query: 'mutation { count }' } })
    expect(response.statusCode).toBe(405)
    expect(count).toBe(0)
  })

  test('does not run if the Accept header is not supported', async () => {
    const { status } = await post({ query: 'mutation { count }' }, { accept: 'text/html' })
    expect(status).toBe(406)
    expect(count).toBe(0)
  })
})

describe('the media type of a response', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/html, */*;q=0.8', 'application/json'],
    ['application/json', 'application/json'],
    ['APPLICATION/JSON; charset=utf-8', 'application/json'],
    [graphqlJSON, graphqlJSON],
    [`${graphqlJSON}; charset=utf-8`, graphqlJSON],
    [`application/json, ${graphqlJSON}`, graphqlJSON],
    [`${graphqlJSON}, application/json;q=0.9`, graphqlJSON],
    [`${graphqlJSON};q=0.5, application/json;q=0.9`, 'application/json'],
    [`${graphqlJSON}, */*`, graphqlJSON],
    [`${graphqlJSON};q=0, */*`, 'application/json'],
    ['application/json;q=0, */*', graphqlJSON],
  ])('for Accept %s is %s', async (accept, expected) => {
    const { status, headers } = await post({ query: '{ hello }' }, { accept })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe(`${expected}; charset=utf-8`)
  })

  test.each([
    'text/html',
    'application/xml, text/*',
    `${graphqlJSON};q=0`,
    'image/png;q=x',
  ])('matches nothing in Accept %s, which returns 406', async (accept) => {
    const { status, headers, error } = await post({ query: '{ hello }' }, { accept })
    expect(status).toBe(406)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(error.extensions.code).toBe('NOT_ACCEPTABLE')
  })

  test('is also negotiated for an error', async () => {
    const headers = { accept: graphqlJSON, authorization: 'Bearer bad' }
    expect((await post({ query: '{ hello }' }, headers)).headers['content-type']).toContain(graphqlJSON)
  })
})

describe('an invalid document', () => {
  test.each([
    ['GRAPHQL_PARSE_FAILED', '{'],
    ['GRAPHQL_PARSE_FAILED', ''],
    ['GRAPHQL_PARSE_FAILED', '# nothing'],
    ['GRAPHQL_PARSE_FAILED', '{ hello(name: "'],
    ['GRAPHQL_VALIDATION_FAILED', '{ helo }'],
    ['GRAPHQL_VALIDATION_FAILED', '{ me }'],
    ['GRAPHQL_VALIDATION_FAILED', 'query A($unused: Int) { hello }'],
    ['GRAPHQL_VALIDATION_FAILED', 'query A($name: Nonsense) { hello(name: $name) }'],
    ['GRAPHQL_VALIDATION_FAILED', '{ sum(numbers: ["one"]) }'],
    ['GRAPHQL_VALIDATION_FAILED', 'fragment F on Query { ...F } { ...F }'],
  ])('is refused with %s: %s', async (code, query) => {
    const refused = await post({ query }, { accept: graphqlJSON })
    expect(refused.status).toBe(400)
    expect(refused.error.extensions).toEqual({ code, requestID: 'request-1' })
    expect(refused.body).not.toHaveProperty('data')
    const plain = await post({ query }, { accept: 'application/json' })
    expect({ ...plain, headers: {} }).toEqual({ ...refused, headers: {}, status: 200 })
    expect(logged).toEqual([])
  })

  test('is refused with every error and its location', async () => {
    const { body } = await ask('{ helo\n caler }')
    expect(body.errors).toMatchObject([
      {
        message: 'Cannot query field "helo" on type "Query". Did you mean "hello"?',
        locations: [{ line: 1, column: 3 }],
      },
      { locations: [{ line: 2, column: 2 }] },
    ])
  })

  test.each([
    '{"kind":"Document","definitions":[]}',
    '{}',
    '[]',
    '123',
    '"text"',
    'null',
    'true',
    ' { "kind" : 1 }\n',
  ])('can be JSON, such as a syntax tree: %s', async (query) => {
    const { status, error } = await ask(query)
    expect(status).toBe(400)
    expect(error.message).toMatch(/^Syntax Error: /)
    expect(error.extensions.code).toBe('GRAPHQL_PARSE_FAILED')
  })
})

describe('invalid variables', () => {
  test.each([
    ['left out', 'query A($name: String!) { hello(name: $name) }', {}],
    ['null', 'query A($name: String!) { hello(name: $name) }', { name: null }],
    ['of another type', 'query A($n: [Int]) { sum(numbers: $n) }', { n: ['one'] }],
    ['with unknown fields', 'query A($in: Nested) { depth(input: $in) }', { in: { outer: 1 } }],
  ])('are refused with INVALID_INPUT: %s', async (_what, query, variables) => {
    const { status, body, error } = await ask(query, variables)
    expect(status).toBe(400)
    expect(body).not.toHaveProperty('data')
    expect(error.message).toMatch(/^Variable "\$/)
    expect(error.extensions.code).toBe('INVALID_INPUT')
    expect((await post({ query, variables }, { accept: 'application/json' })).status).toBe(200)
    expect(logged).toEqual([])
  })

  test('are refused with INVALID_INPUT and a path if they are null for a non-null argument', async () => {
    const { status, body, error } = await ask('query A($n: String = "x") { hello(name: $n) }', { n: null })
    expect(status).toBe(200)
    expect(body.data).toBeNull()
    expect(error).toMatchObject({ path: ['hello'], extensions: { code: 'INVALID_INPUT' } })
    expect(logged).toEqual([])
  })
})

describe('an operation that does not exist', () => {
  test.each(['POST', 'GET'] as const)('is refused with INVALID_INPUT by %s', async (method) => {
    const run = (query: string, operationName: string) =>
      method === 'GET' ? get({ query, operationName }) : ask(query, undefined, operationName)
    for (const [query, operationName] of [
      ['query A { hello }', 'B'],
      ['query A { hello } query B { hello }', ''],
    ] as const) {
      const { status, error } = await run(query, operationName)
      expect(status).toBe(400)
      expect(error.extensions.code).toBe('INVALID_INPUT')
    }
  })

  test('is reported for a subscription, because this endpoint does not support subscriptions', async () => {
    const { error } = await ask('subscription { hello }')
    expect(error.extensions.code).toBe('INVALID_INPUT')
    expect(logged).toEqual([])
  })
})

describe('a request body', () => {
  test.each([
    ['not JSON', '{ "query": '],
    ['nothing', ''],
    ['a string', '"{ hello }"'],
    ['null', 'null'],
    ['without a query', '{}'],
    ['with a query that is null', '{"query":null}'],
    ['with variables that are a list', '{"query":"{ hello }","variables":[]}'],
    ['with variables that are text', '{"query":"{ hello }","variables":"{}"}'],
    ['with an operation name that is a number', '{"query":"{ hello }","operationName":1}'],
    ['with extensions that are a list', '{"query":"{ hello }","extensions":[]}'],
    ['with a prototype key', '{"query":"{ hello }","__proto__":{"a":1}}'],
    ['with a prototype key in it', '{"query":"{ hello }","variables":{"__proto__":{"a":1}}}'],
  ])('is refused with INVALID_INPUT in either media type if it is %s', async (_what, payload) => {
    for (const accept of ['application/json', graphqlJSON]) {
      const { status, body, error } = await post(payload, { accept })
      expect(status).toBe(400)
      expect(Object.keys(body)).toEqual(['errors'])
      expect(error.extensions).toMatchObject({ code: 'INVALID_INPUT', requestID: 'request-1' })
    }
    expect(logged).toEqual([])
  })

  test('is refused with LIMIT_EXCEEDED if it is a batch', async () => {
    const { status, error } = await post('[{"query":"{ hello }"},{"query":"{ hello }"}]')
    expect(status).toBe(400)
    expect(error.extensions).toEqual({
      code: 'LIMIT_EXCEEDED',
      requestID: 'request-1',
      limit: { name: 'operations', max: 1, actual: 2 },
    })
  })

  test('is refused with all its problems at once', async () => {
    const { error } = await post({ query: 1, variables: [] })
    expect(error.extensions.errors).toEqual([
      { field: 'query', message: 'must be a string with a GraphQL document' },
      { field: 'variables', message: 'must be a JSON object' },
    ])
  })

  test('causes a 400 if it is missing', async () => {
    expect(await request({ method: 'POST' })).toMatchObject({ status: 400 })
  })

  test.each([
    [{}],
    [{ query: ['{ hello }', '{ hello }'] }],
    [{ query: '{ hello }', variables: '{' }],
    [{ query: '{ hello }', variables: '[]' }],
    [{ query: '{ hello }', variables: ['{}', '{}'] }],
    [{ query: '{ hello }', extensions: '1' }],
  ])('in the URL is refused with INVALID_INPUT: %j', async (query) => {
    const { status, error } = await get(query as Record<string, string>)
    expect(status).toBe(400)
    expect(error.extensions.code).toBe('INVALID_INPUT')
  })

  test.each([
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset="latin1"',
    'json',
  ])('is refused with UNSUPPORTED_MEDIA_TYPE as %s', async (type) => {
    const { status, error } = await post('{"query":"{ hello }"}', { 'content-type': type })
    expect(status).toBe(415)
    expect(error.extensions.code).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  test.each([
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON; charset=utf8',
    'application/json; odata=none; charset=utf-8',
  ])('is accepted as %s', async (type) => {
    expect((await post('{"query":"{ hello }"}', { 'content-type': type })).status).toBe(200)
  })

  test('is refused with TOO_LARGE and the limit if it is too large', async () => {
    const body = (bytes: number) => JSON.stringify({ query: '{ hello }' }).padEnd(bytes)
    expect((await post(body(maxBodyBytes))).status).toBe(200)
    const { status, error } = await post(body(maxBodyBytes + 1))
    expect(status).toBe(413)
    expect(error.extensions.code).toBe('TOO_LARGE')
    expect(error.message).toContain(String(maxBodyBytes))
    expect(error.extensions.limit).toEqual({ name: 'bytes', max: maxBodyBytes })
  })

  test('of another route is parsed by that route', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/elsewhere',
      payload: 'text',
      headers: { 'content-type': 'text/plain' },
    })
    expect(response.body).toBe('text')
  })
})

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const)('%s returns 405', async (method) => {
  const response = await app.inject({
    method,
    url: path,
    payload: '<a/>',
    headers: { 'content-type': 'text/xml' },
  })
  expect(response.statusCode).toBe(405)
  expect(response.headers.allow).toBe('GET, POST')
  if (method !== 'HEAD') expect(response.json().errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED')
})

describe('a resolver error', () => {
  test('is returned with its code and its fields if it is an AppError', async () => {
    const { status, body } = await ask('{ hello refuses }')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: { hello: 'Hello, you', refuses: null },
      errors: [
        {
          message: 'The input is not valid: name is required; email must be an address.',
          path: ['refuses'],
          locations: [{ line: 1, column: 9 }],
          extensions: {
            code: 'INVALID_INPUT',
            requestID: 'request-1',
            errors: [
              { field: 'name', message: 'is required' },
              { field: 'email', message: 'must be an address' },
            ],
          },
        },
      ],
    })
    expect(logged).toEqual([])
  })

  test('sets the data to null if the field is not nullable', async () => {
    const { status, body, error } = await ask('{ fatal }')
    expect({ status, data: body.data }).toEqual({ status: 200, data: null })
    expect(error.extensions).toEqual({ code: 'NOT_FOUND', requestID: 'request-1' })
  })

  test.each([
    ['an Error', '{ fails }', 'a secret, at /srv/app.js'],
    [
      'null for a field that is not nullable',
      '{ missing }',
      'Cannot return null for non-nullable field Query.missing.',
    ],
    [
      'a value of another type',
      '{ mistyped }',
      'Int cannot represent non-integer value: "a secret that is no Int"',
    ],
    ['a GraphQLError', '{ speaks }', 'a secret in a GraphQLError'],
  ])('is masked and logged once: %s', async (_what, query, message) => {
    const { status, error } = await ask(query)
    expect(status).toBe(200)
    expect(error).toMatchObject({
      message: 'An internal error occurred. The service logged the details under the request ID.',
      locations: [{ line: 1, column: 3 }],
      extensions: { code: 'INTERNAL', requestID: 'request-1' },
    })
    expect(error.path).toHaveLength(1)
    expect(logged).toMatchObject([{ level: 50, reqId: 'request-1', err: { message } }])
  })

  test('is logged once if it makes several fields fail', async () => {
    const { body } = await ask('{ manyFail }')
    expect(body.errors.map(({ path }: { path: unknown }) => path)).toEqual([
      ['manyFail', 0],
      ['manyFail', 1],
    ])
    expect(logged).toHaveLength(1)
  })

  test('is logged with its cause if it is an AppError with a cause', async () => {
    const { status, error } = await ask('{ away }')
    expect(status).toBe(503)
    expect(error).toMatchObject({
      message: 'The database is unavailable.',
      extensions: { code: 'UNAVAILABLE' },
    })
    expect(logged).toMatchObject([{ err: { message: 'ECONNREFUSED' } }])
  })
})

describe('a hostile request', () => {
  const nest = (open: string, times: number, close: string, middle = '') =>
    open.repeat(times) + middle + close.repeat(times)

  test('with more than 10,000 tokens is refused', async () => {
    const { status, error } = await ask(`{ ${'hello '.repeat(10_000)} }`)
    expect(status).toBe(400)
    expect(error.message).toContain('10000 tokens')
    expect(error.extensions.code).toBe('LIMIT_EXCEEDED')
  })

  test('with more than 20 levels is refused', async () => {
    expect((await ask(nest('{ me ', 19, '}', '{ hello }'))).status).toBe(200)
    const { status, error } = await ask(nest('{ me ', 20, '}', '{ hello }'))
    expect(status).toBe(400)
    expect(error.extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: { name: 'depth', max: 20, actual: 21 },
    })
  })

  test.each([
    ['a query 1,000 deep', nest('{me', 1000, '}', '{hello}')],
    ['a query 3,000 deep', nest('{me', 3000, '}', '{hello}')],
    ['a query 5,000 deep', nest('{me', 5000, '}', '{hello}')],
    ['a list 20,000 deep', `{ sum(numbers: ${nest('[', 20_000, ']')}) }`],
    ['a list 4,900 deep', `{ sum(numbers: ${nest('[', 4900, ']')}) }`],
    ['a list 1,000 deep', `{ sum(numbers: ${nest('[', 1000, ']')}) }`],
    ['an object 2,400 deep', `{ depth(input: ${nest('{inner:', 2400, '}', 'null')}) }`],
    ['a type 4,900 deep', `query A($a: ${nest('[', 4900, ']', 'Int')}) { hello }`],
    ['one field 9,900 times', `{ ${nest('hello ', 9900, '')} }`],
    ['3,000 directives', `{ hello ${nest('@skip(if: true) ', 1600, '')} }`],
  ])('with %s is refused', async (_what, query) => {
    const before = process.cpuUsage()
    const { status, error } = await ask(query)
    expect(status).toBe(400)
    expect(error.extensions.code).toMatch(/^(LIMIT_EXCEEDED|GRAPHQL_VALIDATION_FAILED)$/)
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
    expect(logged).toEqual([])
  })

  test('with more than 100 nested brackets is refused', async () => {
    const deep = (depth: number) => ask(`{ depth(input: ${nest('{inner:', depth, '}', 'null')}) }`)
    expect((await deep(98)).status).toBe(200)
    const { status, error } = await deep(99)
    expect(status).toBe(400)
    expect(error.extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: { name: 'nesting', max: 100, actual: 101 },
    })
    expect(logged).toEqual([])
  })

  test.each([
    [
      'an unused variable',
      'query A($n: [Int]) { sum(numbers: $n) }',
      `{"x":${nest('[', 100_000, ']')},"n":[1]}`,
      200,
    ],
    ['a list', 'query A($n: [Int]) { sum(numbers: $n) }', `{"n":${nest('[', 100_000, ']')}}`, 400],
    [
      'an object',
      'query A($in: Nested) { depth(input: $in) }',
      `{"in":${nest('{"inner":', 20_000, '}', 'null')}}`,
      400,
    ],
  ])('with deeply nested variables causes no failure: %s', async (_what, query, variables, expected) => {
    const payload = `{"query":${JSON.stringify(query)},"variables":${variables}}`
    const { status } = await post(payload, { accept: graphqlJSON })
    expect(status).toBe(expected)
    expect(logged).toEqual([])
  })
})

describe('authentication', () => {
  test('happens before the body is read', async () => {
    const headers = { authorization: 'Bearer bad', 'content-type': 'text/plain' }
    expect((await post('x'.repeat(maxBodyBytes + 1), headers)).status).toBe(401)
  })

  test.each([
    ['no credentials', undefined],
    ['another scheme', 'Basic Zm9vOmJhcg=='],
    ['a scheme alone', 'Bearer'],
  ])('returns WWW-Authenticate without an error for %s', async (_who, authorization) => {
    const { status, headers, body } = await post({ query: '{ hello }' }, { authorization })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="skein"')
    expect(body).toEqual({
      errors: [
        {
          message: 'Send an access token.',
          extensions: { code: 'UNAUTHENTICATED', requestID: 'request-1' },
        },
      ],
    })
  })

  test.each(['Bearer bad', 'bearer bad'])('returns the error invalid_token for %s', async (authorization) => {
    const { status, headers, error } = await post({ query: '{ hello }' }, { authorization })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", error_description="[^"\\]+"$/)
    expect(error.extensions.code).toBe('UNAUTHENTICATED')
  })

  test('ignores a token in the URL or in the body', async () => {
    const response = await app.inject({
      method: 'POST',
      url: `${path}?access_token=good`,
      payload: { query: '{ hello }', access_token: 'good' },
    })
    expect(response.statusCode).toBe(401)
  })

  test('returns 429 with Retry-After if it is rate-limited', async () => {
    const { status, headers, error } = await post({ query: '{ hello }' }, { authorization: 'Bearer busy' })
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('7')
    expect(error.extensions.code).toBe('RATE_LIMITED')
  })

  test('returns a masked error and logs it once if it fails', async () => {
    const { status, error } = await post({ query: '{ hello }' }, { authorization: 'Bearer broken' })
    expect(status).toBe(500)
    expect(error).toEqual({
      message: 'An internal error occurred. The service logged the details under the request ID.',
      extensions: { code: 'INTERNAL', requestID: 'request-1' },
    })
    expect(logged).toMatchObject([{ level: 50, err: { message: 'a secret of the token table' } }])
  })
})
