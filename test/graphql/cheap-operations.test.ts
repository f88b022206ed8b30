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

test('dbg', async () => {
  const { app, publicGroup } = await makeWorld(byDefault)
  for (const query of [
    '{ me { id } }',
    `{ group(id: "${publicGroup.id}") { name memberCount } }`,
    '{ users { nodes { id } } }',
    '{ users(first: 1) { nodes { id } } }',
    '{ latestEventCursor }',
  ])
    for (let i = 0; i < 3; i++)
      console.log(
        query,
        await statementsOf(byDefault, app.token, query),
        await statementsOf(unlimited, app.token, query),
      )
})
