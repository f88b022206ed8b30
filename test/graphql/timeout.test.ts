import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Context } from '../../src/context.ts'
import { inTransaction } from '../../src/database/database.ts'
import { rowLoader } from '../../src/database/loader.ts'
import { query } from '../../src/database/query.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { Deadline } from '../../src/graphql/limits/deadline.ts'
import { graphqlRoutes } from '../../src/graphql/plugin.ts'
import { databaseForRequest } from '../../src/platform/request-database.ts'
import { testDatabase } from '../support/database.ts'
import { unlimited } from '../support/unlimited.ts'

const { path } = unlimited
const timeoutSeconds = 1
/** In seconds. The tests do not wait so long for a statement that ends by itself. */
const tooLong = 60

const { db, close, embedded } = await testDatabase()
await db.$executeRawUnsafe('CREATE TABLE written (name text)')

const typeDefs = [
  `type Query {
    never: String
    slow(name: String!): String
    joined(id: ID!): String
    later(name: String!): String
    quick: Int
  }
  type Mutation {
    write(name: String!): String
    later(name: String!): String
    together(name: String!): String
    never: String
  }`,
]

type Args = { name: string }

const insert = (name: string) => Prisma.sql`INSERT INTO written VALUES (${name}) RETURNING name`

/** The errors of resolvers whose requests were already answered. */
const failures = new Map<string, unknown>()

/** The names of transactions that have ended. */
const ended = new Set<string>()

async function later(_root: unknown, { name }: Args, ctx: Context) {
  await sleep(1300)
  try {
    await query(ctx.db, insert(name))
    await ctx.db.$executeRaw(insert(`${name} by Prisma`))
  } catch (error) {
    failures.set(name, error)
    throw error
  }
  return name
}

const joined = rowLoader(async (ctx: Context, _workspaceID, ids) => {
  const seconds = ids.some((id) => id.startsWith('long')) ? tooLong : 0.3
  const wait = ids.includes('locked')
    ? Prisma.sql`pg_advisory_xact_lock_shared(1)`
    : Prisma.sql`pg_sleep(${seconds}::float8)`
  await query(ctx.db, Prisma.sql`SELECT ${wait}, ${ids.join()}::text AS joined`)
  return new Map(ids.map((id) => [id, id]))
})

const resolvers = {
  Query: {
    never: () => new Promise(() => undefined),
    slow: async (_root: unknown, { name }: Args, ctx: Context) => {
      await query(ctx.db, Prisma.sql`SELECT pg_sleep(${tooLong}::float8), ${name}::text AS slow`)
      return name
    },
    joined: (_root: unknown, { id }: { id: string }, ctx: Context) => joined(ctx, '', id),
    later,
    quick: async (_root: unknown, _args: unknown, ctx: Context) => {
      const [row] = await query<{ one: number }>(ctx.db, Prisma.sql`SELECT 1 AS one`)
      return row?.one
    },
  },
  Mutation: {
    never: () => new Promise(() => undefined),
    write: async (_root: unknown, { name }: Args, ctx: Context) => {
      await query(ctx.db, insert(name))
      return name
    },
    later,
    together: (_root: unknown, { name }: Args, ctx: Context) =>
      inTransaction(ctx.db, async (tx) => {
        await query(tx, insert(name))
        await sleep(1300)
        await query(tx, insert(name))
        return name
      }).finally(() => ended.add(name)),
  },
}

const app = Fastify()
await app.register(graphqlRoutes, {
  ...unlimited,
  typeDefs,
  resolvers,
  timeoutSeconds,
  contextOf: async ({ headers }, signal) => {
    if (headers.authorization === 'never answered') await new Promise(() => undefined)
    return { db: databaseForRequest(db, signal), actor: { kind: 'operator' }, signal } as Context
  },
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })

afterAll(async () => {
  const closing = app.close()
  // A client can keep a connection open on which it has sent nothing. Node does not close such a connection as idle.
  app.server.closeAllConnections()
  await closing
  await close()
})

// biome-ignore lint/suspicious/noExplicitAny: each test states the response that it expects
type Body = any

async function ask(query: string, signal: AbortSignal | null = null) {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    signal,
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}

/** Sends a request and disconnects after a while. */
async function askAndHangUp(query: string, ms = 200): Promise<void> {
  await expect(ask(query, AbortSignal.timeout(ms))).rejects.toThrow()
}

async function written(name: string): Promise<number> {
  const rows = await query<object>(db, Prisma.sql`SELECT FROM written WHERE name LIKE ${`${name}%`}`)
  return rows.length
}

/** Counts the running statements with this column alias. */
async function running(kind: string): Promise<number> {
  const rows = await db.$queryRawUnsafe<object[]>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
       AND query LIKE '%AS ${kind}%'`,
  )
  return rows.length
}

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 20_000
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error('It did not come to be')
    await sleep(20)
  }
}

/** Waits until a quick request succeeds. On a busy machine, even a quick request can exceed its limit of a second. */
const expectQuick = () =>
  expect.poll(async () => (await ask('{ quick }')).body).toEqual({ data: { quick: 1 } })

describe('a request that takes too long', () => {
  test('returns TIMEOUT with the limit, and says that it is unknown whether a change was made', async () => {
    const limit = { name: 'seconds', max: 1 }
    const reading = await ask('{ never }')
    expect(reading.status).toBe(503)
    expect(reading.body).toEqual({
      errors: [
        {
          message: 'The request exceeded the time limit of 1 s and was stopped. Send a smaller request.',
          extensions: { code: 'TIMEOUT', requestID: expect.any(String), limit },
        },
      ],
    })
    const writing = await ask('mutation { never }')
    expect([writing.status, writing.body.errors[0].extensions.code]).toEqual([503, 'TIMEOUT'])
    expect(writing.body.errors[0].message).toContain('It is unknown whether the change was made')
  })

  test('returns TIMEOUT if the token lookup takes too long', async () => {
    const headers = { 'content-type': 'application/json', authorization: 'never answered' }
    const answer = await fetch(address + path, { method: 'POST', headers, body: '{"query":"{ quick }"}' })
    const body = (await answer.json()) as Body
    expect([answer.status, body.errors[0].extensions.code]).toEqual([503, 'TIMEOUT'])
  })

  test.each(['query', 'mutation'])('starts no further statement if it is a %s', async (kind) => {
    const { body } = await ask(`${kind} { later(name: "${kind}") }`)
    expect(body.errors[0].extensions.code).toBe('TIMEOUT')
    await eventually(async () => failures.has(kind))
    expect(failures.get(kind)).toMatchObject({ code: 'timeout' })
    expect(await written(kind)).toBe(0)
  })

  test('rolls back its transaction', async () => {
    const { body } = await ask('mutation { together(name: "together") }')
    expect(body.errors[0].extensions.code).toBe('TIMEOUT')
    await eventually(async () => ended.has('together'))
    expect(await written('together')).toBe(0)
  })

  test('leaves its database connections usable', async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask('{ never }')))
    await Promise.all(Array.from({ length: 20 }, expectQuick))
  })

  test.skipIf(embedded)('cancels its statement on the server', async () => {
    const asked = ask('{ slow(name: "x") }')
    await eventually(async () => (await running('slow')) === 1)
    expect((await asked).body.errors[0].extensions.code).toBe('TIMEOUT')
    await eventually(async () => (await running('slow')) === 0)
    const many = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(`{ slow(name: "${n}") }`)))
    for (const { status } of many) expect(status).toBe(503)
    await eventually(async () => (await running('slow')) === 0)
    await expectQuick()
  })

  test.runIf(embedded)('does not start a statement that is still waiting', async () => {
    const letGo = await holdDatabase()
    const first = ask('{ quick }')
    await sleep(50)
    const waiting = ask('mutation { write(name: "never begun") }')
    expect((await first).status).toBe(503)
    expect((await waiting).status).toBe(503)
    await letGo()
    await expectQuick()
    expect(await db.$queryRaw`SELECT FROM written WHERE name = 'never begun'`).toEqual([])
  })
})

test('work that is requested after the time limit is refused, and does not begin', async () => {
  const deadline = new Deadline(0.001)
  await expect(deadline.limit(() => new Promise(() => undefined))).rejects.toMatchObject({ code: 'timeout' })
  const work = vi.fn(async () => 1)
  await expect(deadline.limit(work)).rejects.toMatchObject({ code: 'timeout' })
  expect(work).not.toHaveBeenCalled()
})

describe('a client that disconnects', () => {
  test('stops its query', async () => {
    await askAndHangUp('query { later(name: "hung up") }')
    await eventually(async () => failures.has('hung up'))
    expect(await written('hung up')).toBe(0)
  })

  test('does not stop its mutation', async () => {
    // The resolver sleeps longer than the time limit. Therefore the time limit stops it, and the code is `timeout`.
    await askAndHangUp('mutation { later(name: "goes on") }')
    await eventually(async () => failures.has('goes on'))
    expect(failures.get('goes on')).toMatchObject({ code: 'timeout' })
  })

  test.skipIf(embedded)('cancels its statement on the server immediately', async () => {
    const asked = askAndHangUp('{ slow(name: "x") }', 400)
    await eventually(async () => (await running('slow')) === 1)
    await asked
    await eventually(async () => (await running('slow')) === 0)
  })

  test.skipIf(embedded)('does not cancel a batch that another client shares', async () => {
    const before = await underWay()
    const [gone, other] = [askAndHangUp('{ joined(id: "b") }', 350), ask('{ joined(id: "c") }')]
    await sleep(150)
    await before.end()
    await gone
    expect((await other).body).toEqual({ data: { joined: 'c' } })
  })

  test.skipIf(embedded)(
    'cancels a shared batch if all other clients of the batch have disconnected',
    async () => {
      const before = await underWay()
      const [soon, later] = [
        askAndHangUp('{ joined(id: "long b") }', 500),
        askAndHangUp('{ joined(id: "long c") }', 800),
      ]
      await sleep(150)
      await before.end()
      await soon
      await sleep(100)
      expect(await running('joined')).toBe(1)
      await later
      await eventually(async () => (await running('joined')) === 0)
    },
  )
})

/** Keeps a transaction open, which occupies the only connection of the embedded database. */
async function holdDatabase(statement = Prisma.sql`SELECT 1`): Promise<() => Promise<void>> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let transaction: Promise<void> | undefined
  await new Promise<void>((begun) => {
    transaction = db.$transaction(async (tx) => {
      await tx.$queryRaw(statement)
      begun()
      await held
    })
  })
  return async () => {
    letGo()
    await transaction
  }
}

/** Starts as many statements as can run at once, so that the next ones are batched. */
async function underWay(): Promise<{ end: () => Promise<void> }> {
  const unlock = await holdDatabase(Prisma.sql`SELECT pg_advisory_xact_lock(1)::text`)
  const first = ask('{ joined(id: "locked") }')
  await eventually(async () => (await running('joined')) === 1)
  const second = ask('{ joined(id: "locked") }')
  await eventually(async () => (await running('joined')) === 2)
  return {
    end: async () => {
      await unlock()
      await Promise.all([first, second])
    },
  }
}
