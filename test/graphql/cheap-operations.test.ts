import { expect, test } from 'vitest'
import { driverOf, useDriver } from '../../src/database/driver/drivers.ts'
import { borrowDatabase } from '../support/database.ts'
import { makeWorld } from '../support/factories.ts'
import { type Service, startService } from '../support/service.ts'

// Both services share a database.
const database = await borrowDatabase()
const byDefault = await startService({}, { db: database.db, close: database.giveBack })
const many = { GRAPHQL_OPERATIONS_AT_ONCE: '1000' }
const unlimited = await startService(many, { db: database.db, close: async () => undefined })

const simultaneous = 64

/** Sends a query many times at once, after it was cached, and returns the number of statements. */
async function statementsOf({ graphql }: Service, token: string, query: string): Promise<number> {
  for (let sent = 0; sent < 3; sent += 1) expect((await graphql(token, query)).errors).toBeUndefined()
  const driver = driverOf(database.db)
  if (!driver) throw new Error('A transaction has no driver')
  let count = 0
  useDriver(database.db, (...statement) => {
    count += 1
    return driver(...statement)
  })
  try {
    const answers = await Promise.all(Array.from({ length: simultaneous }, () => graphql(token, query)))
    expect(answers.filter(({ errors }) => errors)).toEqual([])
  } finally {
    useDriver(database.db, driver)
  }
  return count
}

test('simultaneous cheap queries of one caller need as few statements as without a limit', async () => {
  const { app, publicGroup } = await makeWorld(byDefault)
  const queries = ['{ me { id } }', `{ group(id: "${publicGroup.id}") { name memberCount } }`]
  for (const query of queries) {
    const expected = await statementsOf(unlimited, app.token, query)
    expect(expected).toBeLessThan(8)
    expect(await statementsOf(byDefault, app.token, query)).toBe(expected)
  }
})

test('pages are read by a few operations at once, also if they have one row', async () => {
  const { app } = await makeWorld(byDefault)
  const query = '{ users(first: 1) { nodes { id } } }'
  expect(await statementsOf(byDefault, app.token, query)).toBeGreaterThanOrEqual(simultaneous / 8)
})

test.each([
  ['the schema', '{ __schema { types { name } } }', 52],
  ['a type of the schema', '{ __type(name: "User") { name } }', 52],
  ['the number of unread threads', '{ viewer { unread { threads } } }', 52],
  ['the latest cursor', '{ latestEventCursor }', 7],
])('%s costs more than a look-up', async (_what, query, cost) => {
  const { app } = await makeWorld(byDefault)
  for (let sent = 0; sent < 2; sent += 1) await byDefault.graphql(app.token, query)
  const headers = { authorization: `Bearer ${app.token}` }
  const options = { method: 'POST', url: '/public/graphql', headers, payload: { query } } as const
  const answer = await byDefault.app.inject(options)
  expect(answer.json().extensions.cost).toMatchObject({ requested: cost })
})
