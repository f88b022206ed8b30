import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../src/database/database.ts'
import { query } from '../src/database/query.ts'
import { AppError } from '../src/errors.ts'
import { Prisma } from '../src/generated/prisma/client.ts'
import { errorForLog } from '../src/start/log/log-options.ts'
import { makeWorld, postToWebhook } from './support/factories.ts'
import { mutate } from './support/mutations.ts'
import { codesOf, startService } from './support/service.ts'

const service = await startService()
const world = await makeWorld(service)
const { db } = world.operator
const secret = `secret-${randomBytes(8).toString('hex')}`
await db.$executeRawUnsafe(`ALTER TABLE messages ADD CONSTRAINT no_secret CHECK (text NOT LIKE 'secret-%')`)

afterEach(() => {
  service.log.length = 0
})

function logged(): { err?: { message: string; constraint?: string; sqlState?: string } }[] {
  return service.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
}

/** Expects one log entry with the violated constraint, and none of the values that were sent. */
function expectOnlyConstraint(): void {
  expect(logged()).toEqual([
    expect.objectContaining({ err: expect.objectContaining({ sqlState: '23514', constraint: 'no_secret' }) }),
  ])
  const text = service.log.join('\n')
  for (const sent of [secret, 'Failing row', 'INSERT INTO', world.webhook.userID])
    expect(text).not.toContain(sent)
  expect(text.length).toBeLessThan(4000)
}

describe('a failed statement does not leak its values into the log', () => {
  test('when a webhook posts a message', async () => {
    const answer = await postToWebhook(service, world.webhook.path, {
      target: world.publicGroup.id,
      text: secret,
    })
    expect(answer.statusCode).toBe(500)
    expectOnlyConstraint()
  })

  test('when a mutation sends a message', async () => {
    const input = { thread: { recipients: [world.publicGroup.id] }, message: { text: secret } }
    const answer = await mutate(service, world.app.token, 'sendMessage', input, 'message { id }')
    expect(codesOf(answer)).toEqual(['INTERNAL'])
    expectOnlyConstraint()
  })
})

describe('a logged error contains no values of', () => {
  const statement = Prisma.sql`SELECT ${secret}::int`
  test.each([
    ['a Prisma statement', () => db.$executeRaw(statement), { sqlState: '22P02' }],
    ['a driver statement', () => query(db, statement), { sqlState: '22P02', code: '22P02' }],
    ['arguments that Prisma rejects', () => db.user.count({ where: { unknown: secret } as object }), {}],
    [
      'a COMMIT that fails',
      () => inTransaction(db, (tx) => tx.workspace.create({ data: { id: secret, name: secret } })),
      { sqlState: '23503', constraint: 'workspaces_general_group' },
    ],
    [
      'the cause of an AppError',
      () =>
        query(db, statement).catch((cause) => Promise.reject(new AppError('internal', 'masked', { cause }))),
      { type: 'AppError', message: 'masked', cause: expect.objectContaining({ sqlState: '22P02' }) },
    ],
  ])('%s', async (_title, run, expected) => {
    const error: unknown = await run().catch((error) => error)
    const logged = errorForLog(error)
    expect(logged).toMatchObject({ ...expected, stack: expect.stringContaining('    at ') })
    expect(JSON.stringify(logged)).not.toContain(secret)
  })
})
