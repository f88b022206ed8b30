import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reportSlowStatements } from '../../src/database/driver/observe-statements.ts'
import { query } from '../../src/database/query.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { makeWorld, postToWebhook, requestToken } from '../support/factories.ts'
import { startService } from '../support/service.ts'

test('an outage is one line at its begin and one at its end, not one for each request', async () => {
  const service = await startService()
  const world = await makeWorld(service)
  const lines = () => service.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request')
  await service.closeDatabase()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let round = 0; round < 5; round += 1) {
    const post = await postToWebhook(service, world.webhook.path, { text: 'x' })
    const token = await requestToken(service, world.app.form)
    const operation = await service.app.inject({
      method: 'POST',
      url: '/public/graphql',
      headers: { authorization: `Bearer ${world.app.token}` },
      payload: { query: '{ me { id } }' },
    })
    expect([post.statusCode, token.statusCode, operation.statusCode]).toEqual([503, 503, 503])
  }
  const reason = expect.stringContaining('The database is unavailable')
  expect(lines()).toEqual([
    expect.objectContaining({ level: 50, reason, msg: expect.stringMatching(/^an outage has begun: /) }),
  ])
  vi.advanceTimersByTime(11_000)
  expect(lines().slice(1)).toEqual([
    expect.objectContaining({ level: 30, reason, failures: 15, seconds: 0, msg: 'the outage has ended' }),
  ])
})

test('a statement that is slow each time is logged once, without its values', async () => {
  const { db } = (await startService()).contextOf({ kind: 'operator' })
  const slow: object[] = []
  reportSlowStatements(20, (statement) => slow.push(statement))
  onTestFinished(() => reportSlowStatements(0, () => undefined))
  for (let turn = 0; turn < 2; turn += 1)
    await query(db, Prisma.sql`SELECT pg_sleep(0.05), ${'a value'}::text AS slow`)
  await sleep(0)
  expect(slow.filter((one) => JSON.stringify(one).includes('AS slow'))).toEqual([
    { ms: expect.any(Number), statement: 'SELECT pg_sleep(0.05), $1::text AS slow', notLogged: 0 },
  ])
})
