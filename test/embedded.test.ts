import { expect, test } from 'vitest'
import { query } from '../src/database/query.ts'
import { Prisma } from '../src/generated/prisma/client.ts'
import { startService } from './support/service.ts'

const { app, contextOf } = await startService()
const { db } = contextOf({ kind: 'operator' })
// A server is about ten times as fast as the embedded database.
const rows = process.env.TEST_DATABASE_URL === undefined ? 1_000_000 : 10_000_000

test('other requests are answered while the database runs a long statement', async () => {
  const events: string[] = []
  const statement = query(db, Prisma.sql`SELECT FROM generate_series(1, ${rows}::integer) AS n WHERE n < 0`)
  const ran = statement.then(() => events.push('statement'))
  // The statement is sent in this turn of the event loop. Each request is sent in a later turn.
  for (let request = 0; request < 20; request++) {
    await new Promise(setImmediate)
    events.push(`live: ${(await app.inject('/health/live')).statusCode}`)
  }
  await ran
  expect(events).toEqual([...Array(20).fill('live: 200'), 'statement'])
})
