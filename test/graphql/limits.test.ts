import { describe, expect, test } from 'vitest'
import { limitSource } from '../../src/graphql/limits/limits.ts'
import { makeWorld, say } from '../support/factories.ts'
import { wholeIntrospection } from '../support/selections.ts'
import { type GraphQLAnswer, operatorToken, startService } from '../support/service.ts'

const service = await startService()

type Refusal = { message: string; limit: { name: string; max: number; actual?: number } }

/** Returns the refusal of a query, or undefined if the query is answered. */
async function refusalOf(query: string, variables?: object): Promise<Refusal | undefined> {
  const { app } = await makeWorld(service)
  return refusalIn(await service.graphql(app.token, query, variables))
}

function refusalIn({ data, errors }: GraphQLAnswer): Refusal | undefined {
  const [error] = errors ?? []
  if (!error) return undefined
  expect([data, errors?.length, error.extensions.code]).toEqual([undefined, 1, 'LIMIT_EXCEEDED'])
  const { limit } = error.extensions as unknown as Refusal
  expect(error.message).toContain(String(limit.max))
  return { message: error.message, limit }
}

describe('the nodes that an operation can return are counted before it runs', () => {
  test('from the page sizes of nested lists', async () => {
    const within =
      'groups(first: 20) { nodes { members(first: 40) { nodes { groups(first: 20) { nodes { id } } } } } }'
    const refusal = await refusalOf(`{ users(first: 100) { nodes { ${within} } } }`)
    const actual = 100 * (1 + 20 * (1 + 40 * (1 + 20)))
    expect(refusal?.limit).toEqual({ name: 'nodes', max: 200_000, actual })
    expect(await refusalOf(`{ users(first: 5) { nodes { ${within} } } }`)).toBeUndefined()
  })

  test('from variables and their defaults', async () => {
    const query = `query ($n: Int = 100) {
      threads(first: $n) { nodes { messages(last: $n) { nodes { attachments(first: $n) { nodes { id } } } } } }
    }`
    expect((await refusalOf(query))?.limit.name).toBe('nodes')
    expect(await refusalOf(query, { n: 50 })).toBeUndefined()
  })

  test('in fragments, with 50 as the default page size', async () => {
    const query = `
      { threads { nodes { ...Deep } } }
      fragment Deep on Thread { messages { nodes { user { groups { nodes { members { nodes { id } } } } } } } }`
    expect((await refusalOf(query))?.limit.name).toBe('nodes')
    const withNull = query.replace('messages', 'messages(first: null)')
    expect((await refusalOf(withNull))?.limit.name).toBe('nodes')
  })

  test('below a node that is looked up by its ID', async () => {
    const { app, as, ada, publicGroup } = await makeWorld(service)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'x', 'S')
    const ask = async (size: number) => {
      const people = `groups(first: ${size}) { nodes { members(first: ${size}) { nodes { id } } } }`
      const query = `query ($id: ID!) { node(id: $id) { ... on Thread { messages(first: 100) { nodes { user { ${people} } } } } } }`
      return refusalIn(await service.graphql(app.token, query, { id: thread.id }))
    }
    expect((await ask(100))?.limit).toMatchObject({ name: 'nodes', actual: 100 * (1 + 100 * 101) })
    expect(await ask(40)).toBeUndefined()
  })

  test('in a list that is nested in a list of the same field', async () => {
    const around = (inner: string) =>
      `members(first: 50) { nodes { groups(first: 50) { nodes { ${inner} } } } }`
    const refusal = await refusalOf(`{ groups(first: 50) { nodes { ${around(around('id'))} } } }`)
    expect(refusal?.limit.name).toBe('nodes')
  })

  test('from the number of IDs in the argument of nodes, even if the argument is a variable', async () => {
    const { app } = await makeWorld(service)
    const within = '... on User { groups(first: 100) { nodes { members(first: 100) { nodes { id } } } } }'
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ${within} } }`
    const refused = await service.graphql(app.token, query, { ids: Array(20).fill(app.userID) })
    expect(refusalIn(refused)?.limit.actual).toBe(20 * (1 + 100 * 101))
    expect(refusalIn(await service.graphql(app.token, query, { ids: [app.userID] }))).toBeUndefined()
    const inline = `{ nodes(ids: ["${app.userID}", "${app.userID}"]) { ${within} } }`
    expect(refusalIn(await service.graphql(app.token, inline))).toBeUndefined()
  })

  test('and are below the limit for an ordinary query', async () => {
    const query = `{ threads(first: 50, order: lastMessage) { edges { cursor node { id subject
      recipients { edges { node { id name } } } messages(last: 1) { nodes { id text user { id name } } } } } } }`
    expect(await refusalOf(query)).toBeUndefined()
  })
})

test('the values that an operation can return are counted before it runs', async () => {
  const aliases = Array.from({ length: 90 }, (_, n) => `n${n}: name`).join(' ')
  const query = `query ($n: Int) {
    users(first: $n) { nodes { groups(first: 20) { nodes { members(first: 20) { nodes { ${aliases} } } } } } } }`
  expect((await refusalOf(query, { n: 100 }))?.limit).toMatchObject({ name: 'values', max: 2_000_000 })
  expect(await refusalOf(query, { n: 10 })).toBeUndefined()
})

test('fields in a fragment are counted each time the fragment is used', async () => {
  const fragments = Array.from(
    { length: 11 },
    (_, level) => `fragment F${level} on User { id ...F${level + 1} ... { ...F${level + 1} } }`,
  )
  const query = `{ me { ...F0 } } ${fragments.join(' ')} fragment F11 on User { id name }`
  expect((await refusalOf(query))?.limit).toMatchObject({ name: 'fields', max: 2000 })
})

const times = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n))

describe('a document can have at most', () => {
  test('100 aliases', async () => {
    const query = (count: number) => `{ me { ${times(count, (n) => `a${n}: id`).join(' ')} } }`
    expect(await refusalOf(query(100))).toBeUndefined()
    expect((await refusalOf(query(101)))?.limit).toEqual({ name: 'aliases', max: 100, actual: 101 })
  })

  test('50 root fields, including those in fragments', async () => {
    const fields = (count: number) => times(count, (n) => `a${n}: me { id }`).join(' ')
    expect(await refusalOf(`{ ${fields(50)} }`)).toBeUndefined()
    const actual = { name: 'rootFields', max: 50, actual: 51 }
    expect((await refusalOf(`{ ${fields(51)} }`))?.limit).toEqual(actual)
    expect(
      (await refusalOf(`{ ...F ... { me { id } } } fragment F on Query { ${fields(50)} }`))?.limit,
    ).toEqual(actual)
  })

  test('50 mutations, and runs none of them if it has more', async () => {
    const name = 'Of too many'
    const create = (n: number) => `a${n}: createWorkspace(input: { name: "${name}" }) { workspace { id } }`
    const answer = await service.graphql(operatorToken, `mutation { ${times(51, create).join(' ')} }`)
    expect(refusalIn(answer)?.limit.name).toBe('rootFields')
    const { db } = service.contextOf({ kind: 'operator' })
    expect(await db.workspace.count({ where: { name } })).toBe(0)
  })

  test('2,000 selections, and 500,000 comparisons of repeated fields', async () => {
    const query = (count: number) => `{ me { ${'id '.repeat(count - 1)} } }`
    const repeated = { name: 'comparisons', max: 500_000 }
    expect((await refusalOf(query(2000)))?.limit).toEqual(repeated)
    const refused = { name: 'selections', max: 2000, actual: 2001 }
    expect((await refusalOf(query(2001)))?.limit).toEqual(refused)
  })

  test('100 fragment spreads', async () => {
    const query = (count: number) => `{ me { ${'...F '.repeat(count)} } } fragment F on User { id }`
    expect(await refusalOf(query(100))).toBeUndefined()
    expect((await refusalOf(query(101)))?.limit).toEqual({ name: 'fragments', max: 100, actual: 101 })
  })

  test('20 levels, including those in fragments', async () => {
    const query = `query ($id: ID!) { workspace(id: $id) { generalGroup { ...A } } }
      fragment A on Group { members(first: 1) { nodes { ...B } } }
      fragment B on User { groups(first: 1) { nodes { ...C } } }
      fragment C on Group { members(first: 1) { nodes { ...D } } }
      fragment D on User { groups(first: 1) { nodes { ...E } } }
      fragment E on Group { members(first: 1) { nodes { ...F } } }
      fragment F on User { groups(first: 1) { nodes { ...G } } }
      fragment G on Group { members(first: 1) { nodes { ...H } } }
      fragment H on User { groups(first: 1) { nodes { ...I } } }
      fragment I on Group { LAST }`
    const { workspaceID, app } = await makeWorld(service)
    const last = async (text: string) =>
      refusalIn(await service.graphql(app.token, query.replace('LAST', text), { id: workspaceID }))
    expect((await last('members(first: 1) { nodes { id } }'))?.limit).toEqual({
      name: 'depth',
      max: 20,
      actual: 21,
    })
    expect(await last('id members(first: 1) { __typename }')).toBeUndefined()
  })

  test('10,000 tokens', async () => {
    const refusal = await refusalOf(`{ me { ${'id '.repeat(10_000)} } }`)
    expect(refusal?.limit).toEqual({ name: 'tokens', max: 10_000 })
  })
})

test('the standard introspection query is allowed with all options', async () => {
  expect(await refusalOf(wholeIntrospection)).toBeUndefined()
})

describe('a hostile document', () => {
  // The parser would report the syntax error at the beginning.
  test('with a literal of 20,000 nested lists is refused before it is parsed', async () => {
    const deep = `{ ) nodes(ids: ${'['.repeat(20_000)}${']'.repeat(20_000)}) { id } }`
    expect((await refusalOf(deep))?.limit).toEqual({ name: 'nesting', max: 100, actual: 101 })
  })

  // The parser would report the syntax error at the end if it read that far.
  test('with 10,000 aliases is refused while it is parsed', async () => {
    const many = `{ ${times(10_000, (n) => `a${n}: __typename`).join(' ')} ) }`
    expect((await refusalOf(many))?.limit).toEqual({ name: 'tokens', max: 10_000 })
  })

  // The validation would report the unknown fields.
  test('with 3,000 aliases is refused before it is validated', async () => {
    const many = `{ ${times(3000, (n) => `a${n}: unknownField`).join(' ')} }`
    expect((await refusalOf(many))?.limit).toEqual({ name: 'aliases', max: 100, actual: 3000 })
  })

  test('with 3,000 selections is refused before it is validated', async () => {
    const many = `{ ${'unknownField '.repeat(3000)} }`
    expect((await refusalOf(many))?.limit).toEqual({ name: 'selections', max: 2000, actual: 3000 })
  })
})

describe('the bracket limit', () => {
  const deep = (text: string) => `${'['.repeat(100)}${text}`

  test.each([
    ['in a string', '{ a(b: "TEXT") }'],
    ['after an escaped quote', '{ a(b: "\\"TEXT\\\\") }'],
    ['in a block string', '{ a(b: """ " TEXT \\""" TEXT """) }'],
    ['in a comment', '{ a # TEXT\n }'],
    ['in a comment at the end', '{ a } # TEXT'],
    ['in a string that follows an empty one', '{ a(b: "", c: "TEXT") }'],
  ])('ignores brackets %s', (_where, source) => {
    expect(() => limitSource(source.replaceAll('TEXT', '[{('.repeat(100)))).not.toThrow()
  })

  test.each([
    ['at the deepest level', `{ a(b: ${deep(']'.repeat(100))}) }`],
    ['after a string', `{ a(b: "x", c: ${deep('')}`],
    ['after a block string', `{ a(b: """x""", c: ${deep('')}`],
    ['after a comment', `{ # "\n a(b: ${deep('')}`],
    ['after an empty string', `{ a(b: "", c: ${deep('')}`],
    ['after a string that ends with its line', `{ a(b: "\n c: ${deep('')}`],
  ])('counts brackets %s', (_where, source) => {
    expect(() => limitSource(source)).toThrow('The limit is 100.')
  })

  test('does not count brackets that are closed', () => {
    expect(() => limitSource(`{ ${'a(b: []) '.repeat(1000)} }`)).not.toThrow()
  })
})
