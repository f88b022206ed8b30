import { describe, expect, test } from 'vitest'
import { makeWorld } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()

/** What a query is refused with, or undefined where it is answered. */
async function refusalOf(query: string, variables?: object): Promise<string | undefined> {
  const { app } = await makeWorld(service)
  const answer = await service.graphql(app.token, query, variables)
  if (answer.errors) expect(answer.errors[0]?.extensions.code).toBe('INVALID_INPUT')
  return answer.errors?.[0]?.message
}

describe('the nodes that an operation could answer are counted before it runs', () => {
  test('by the page sizes of lists within lists', async () => {
    const within =
      'groups(first: 20) { nodes { members(first: 40) { nodes { groups(first: 20) { nodes { id } } } } } }'
    expect(await refusalOf(`{ users(first: 100) { nodes { ${within} } } }`)).toContain('200000 are the limit')
    expect(await refusalOf(`{ users(first: 5) { nodes { ${within} } } }`)).toBeUndefined()
  })

  test('by variables and their defaults', async () => {
    const query = `query ($n: Int = 100) {
      threads(first: $n) { nodes { messages(last: $n) { nodes { attachments(first: $n) { nodes { id } } } } } }
    }`
    expect(await refusalOf(query)).toContain('nodes')
    expect(await refusalOf(query, { n: 50 })).toBeUndefined()
  })

  test('through fragments, and with 50 where no size is given', async () => {
    const query = `
      { threads { nodes { ...Deep } } }
      fragment Deep on Thread { messages { nodes { user { groups { nodes { members { nodes { id } } } } } } } }`
    expect(await refusalOf(query)).toContain('nodes')
    expect(await refusalOf(query.replace('messages', 'messages(first: null)'))).toContain('nodes')
  })

  test('and leave what clients ask for alone', async () => {
    const query = `{ threads(first: 50, order: lastMessage) { edges { cursor node { id subject
      recipients { edges { node { id name } } } messages(last: 1) { nodes { id text user { id name } } } } } } }`
    expect(await refusalOf(query)).toBeUndefined()
  })
})

test('fields are counted with fragments written out', async () => {
  const fragments = Array.from(
    { length: 11 },
    (_, level) => `fragment F${level} on User { a: id ...F${level + 1} ... { ...F${level + 1} } }`,
  )
  const query = `{ me { ...F0 } } ${fragments.join(' ')} fragment F11 on User { id name }`
  expect(await refusalOf(query)).toContain('2000 are the limit')
})
