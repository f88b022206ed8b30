import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { OperationsAtOnce } from '../../src/graphql/limits/operations-at-once.ts'
import { graphqlRoutes } from '../../src/graphql/plugin.ts'
import { unlimited } from '../support/unlimited.ts'

const paths = ['/public/graphql', '/operator/graphql'] as const
const operationsAtOnce = 8
const waitingAtMost = 32 * operationsAtOnce

/** The running operations, in the order in which they started. */
const running = new Map<string, () => void>()

// An operation with a list needs a slot.
const typeDefs = [
  'type Query { hold(name: String!): [Held!] look(name: String!): String } type Held { name: String }',
]
const resolvers = {
  Query: {
    hold: (_root: unknown, { name }: { name: string }) =>
      new Promise((resolve) => running.set(name, () => resolve([{ name }]))),
    look: (_root: unknown, { name }: { name: string }) =>
      new Promise((resolve) => running.set(name, () => resolve(name))),
  },
}
const holdQuery = 'query ($name: String!) { hold(name: $name) { name } }'
const lookQuery = 'query ($name: String!) { look(name: $name) }'

const app = Fastify()
const slots = new OperationsAtOnce(operationsAtOnce)
for (const path of paths) {
  await app.register(graphqlRoutes, {
    ...unlimited,
    path,
    typeDefs,
    resolvers,
    operationsAtOnce: slots,
    timeoutSeconds: 600,
    contextOf: async ({ headers }) => contextOf(String(headers.caller)),
  })
}
const address = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})

/** Creates the context of a caller. All callers are in one workspace. */
function contextOf(userID: string): Context {
  return {
    db: {},
    actor: { kind: 'user', workspaceID: 'wks', userID, scopes: new Set() },
  } as unknown as Context
}

type HoldOptions = { signal?: AbortSignal; path?: (typeof paths)[number]; query?: string }

async function hold(
  caller: string,
  name: string,
  { signal, path = paths[0], query = holdQuery }: HoldOptions = {},
) {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', caller },
    body: JSON.stringify({ query, variables: { name } }),
    signal: signal ?? null,
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
}

function letGo(...names: string[]): void {
  for (const name of names) {
    running.get(name)?.()
    running.delete(name)
  }
}

const names = (caller: string, count: number) => Array.from({ length: count }, (_, n) => `${caller}${n + 1}`)
const runningOf = (caller: string) => [...running.keys()].filter((name) => name.startsWith(caller))
const soon = { timeout: 20_000 }

test('the ninth operation of a caller waits until one of the first eight ends', async () => {
  const answers = names('a', 10).map((name) => hold('a', name))
  await expect.poll(() => runningOf('a').length, soon).toBe(8)
  // An operation of another caller arrives after the tenth, and starts immediately.
  const other = hold('b', 'b1')
  await expect.poll(() => runningOf('b'), soon).toEqual(['b1'])
  expect(runningOf('a')).toHaveLength(8)
  letGo('b1')
  expect((await other).body).toEqual({ data: { hold: [{ name: 'b1' }] } })
  const [first = ''] = runningOf('a')
  letGo(first)
  await expect.poll(() => runningOf('a').length, soon).toBe(8)
  letGo(...runningOf('a'))
  await expect.poll(() => runningOf('a').length, soon).toBe(1)
  letGo(...runningOf('a'))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(10).fill(200))
})

test('the endpoints share the slots of a caller', async () => {
  const answers = names('f', 10).map((name, n) => hold('f', name, { path: paths[n < 5 ? 0 : 1] }))
  await expect.poll(() => runningOf('f').length, soon).toBe(8)
  const other = hold('g', 'g1', { path: '/operator/graphql' })
  await expect.poll(() => runningOf('g'), soon).toEqual(['g1'])
  expect(runningOf('f')).toHaveLength(8)
  letGo('g1', ...runningOf('f'))
  await expect.poll(() => runningOf('f').length, soon).toBe(2)
  letGo(...runningOf('f'))
  expect((await Promise.all([...answers, other])).map(({ status }) => status)).toEqual(Array(11).fill(200))
})

test('an operation releases its slot when its client disconnects', async () => {
  const gone = names('c', 8).map((name) => {
    const controller = new AbortController()
    const answer = hold('c', name, { signal: controller.signal }).catch(() => 'gone')
    return { controller, answer }
  })
  await expect.poll(() => runningOf('c').length, soon).toBe(8)
  const next = hold('c', 'c9')
  for (const { controller } of gone) controller.abort()
  await expect.poll(() => runningOf('c').includes('c9'), soon).toBe(true)
  letGo('c9')
  expect((await next).status).toBe(200)
  letGo(...runningOf('c'))
})

test('an operation gets 429 with Retry-After if too many operations of its caller wait', async () => {
  const answers: Awaited<ReturnType<typeof hold>>[] = []
  const all = names('d', operationsAtOnce + waitingAtMost + 5).map(async (name) => {
    const answer = await hold('d', name)
    answers.push(answer)
  })
  await expect.poll(() => answers.length, soon).toBe(5)
  expect(answers.map(({ status, retryAfter }) => [status, retryAfter])).toEqual(Array(5).fill([429, '1']))
  expect(answers[0]?.body).toMatchObject({
    errors: [{ extensions: { code: 'RATE_LIMITED', limit: { name: 'operationsAtOnce', max: 8 } } }],
  })
  const other = hold('e', 'e1')
  await expect.poll(() => runningOf('e'), soon).toEqual(['e1'])
  letGo('e1')
  expect((await other).status).toBe(200)
  await expect
    .poll(() => {
      letGo(...runningOf('d'))
      return answers.length
    }, soon)
    .toBe(all.length)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(operationsAtOnce + waitingAtMost)
})

test('cheap queries need no slot, up to the number that can wait', async () => {
  const look = (name: string) => hold('h', name, { query: lookQuery })
  // The document is cached when it is sent for the second time.
  for (const name of ['h-1', 'h-2']) {
    const answer = look(name)
    await expect.poll(() => runningOf('h'), soon).toEqual([name])
    letGo(name)
    await answer
  }
  const statuses: number[] = []
  const all = names('h', waitingAtMost + operationsAtOnce + waitingAtMost + 5).map(async (name) => {
    const { status } = await look(name)
    statuses.push(status)
  })
  await expect.poll(() => statuses, soon).toEqual(Array(5).fill(429))
  expect(runningOf('h')).toHaveLength(waitingAtMost + operationsAtOnce)
  const other = hold('i', 'i1', { query: lookQuery })
  await expect.poll(() => runningOf('i'), soon).toEqual(['i1'])
  letGo('i1')
  expect((await other).body).toEqual({ data: { look: 'i1' } })
  await expect
    .poll(() => {
      letGo(...runningOf('h'))
      return statuses.length
    }, soon)
    .toBe(all.length)
  expect(statuses.filter((status) => status === 200)).toHaveLength(all.length - 5)
})
