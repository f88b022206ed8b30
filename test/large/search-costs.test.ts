import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { makeApp, makeWorld } from '../support/factories.ts'
import { startService } from '../support/service.ts'

type Statement = { text: string; values: unknown[] }
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

const threads = 2600
const messagesOfThread = 10
const messages = threads * messagesOfThread

const searches: Statement[] = []
let explain: (statement: Statement) => Promise<Plan>
recordSearches()

const service = await startService()
const world = await makeWorld(service)
const { operator, workspaceID } = world
/** Each app sees another part of the threads. `sees` is a condition on the number `t` of a thread. */
const readers = {
  'all threads': { app: world.app, sees: 'TRUE' },
  'half of the threads': { app: await makeApp(service, operator, workspaceID), sees: 't % 2 = 0' },
  'a twentieth of the threads': { app: await makeApp(service, operator, workspaceID), sees: 't % 20 = 0' },
  'all threads but the last active ones': {
    app: await makeApp(service, operator, workspaceID),
    sees: `t <= ${threads - 520}`,
  },
}
type Reader = keyof typeof readers

beforeAll(makeVolume, 120_000)

// The bounds are between what the best plan reads and what the others read.
test.each<[Reader, string, { rows: number; blocks: number }]>([
  ['all threads', 'common', { rows: 600, blocks: 800 }],
  ['all threads', 'absent', { rows: 310, blocks: 50 }],
  ['all threads but the last active ones', 'common', { rows: 3500, blocks: 3500 }],
  ['half of the threads', 'common', { rows: 3500, blocks: 3000 }],
  ['a twentieth of the threads', 'common', { rows: 3500, blocks: 4000 }],
  ['a twentieth of the threads', 'middle', { rows: 1500, blocks: 2000 }],
])('a reader of %s searches the word "%s" with few reads', async (reader, word, most) => {
  const read = await readsOf(readers[reader].app.token, word)
  expect(read.found).toBe(word === 'absent' ? 0 : 20)
  expect(read.rows).toBeLessThan(most.rows)
  expect(read.blocks).toBeLessThan(most.blocks)
})

/** Returns how many messages the first page of a search has, and what its statements read. */
async function readsOf(token: string, word: string) {
  const query = `{ searchMessages(query: "${word}", first: 20) { nodes { id } } }`
  // The first search fills caches, such as the number of the caller's threads.
  await service.graphql(token, query)
  searches.length = 0
  const { data } = await service.graphql(token, query)
  const plans: Plan[] = []
  for (const statement of searches.splice(0)) plans.push(await explain(statement))
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  return {
    found: data.searchMessages.nodes.length,
    rows: sum(plans.flatMap(nodesOf).map(rowsReadBy)),
    blocks: sum(plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])),
  }
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

function rowsReadBy(node: Plan): number {
  if (node['Relation Name'] === undefined) return 0
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + removed) * node['Actual Loops']
}

/** Records the statements that read the index of words. They can be explained on the same connection. */
function recordSearches(): void {
  type Query = (
    this: pg.Client,
    statement: unknown,
    ...rest: unknown[]
  ) => Promise<{ rows: Record<string, unknown>[] }>
  const client = pg.Client.prototype as unknown as { query: Query }
  const { query } = client
  client.query = function (statement, ...rest) {
    const { text, values } = statement as Partial<Statement>
    if (text?.includes('searchable_messages')) {
      searches.push({ text, values: values ?? (rest[0] as unknown[]) })
      explain = async ({ text, values }) => {
        const { rows } = await query.call(this, {
          text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        })
        const plan = rows[0]?.['QUERY PLAN']
        return (typeof plan === 'string' ? JSON.parse(plan) : plan)[0].Plan
      }
    }
    return query.call(this, statement, ...rest)
  }
}

/**
 * Creates the threads and their indexed messages. The messages of all threads alternate. They are indexed in the order of
 * their times, like by the service. Otherwise the statistics of other tests would decide how many blocks the last have.
 */
async function makeVolume() {
  const thread = (number: string) => `('thr_' || lpad((${number})::text, 27, '0'))`
  const time = (number: string) => `(now() - interval '1 second' * (${messages} - (${number})))`
  const addressed = Object.values(readers).map(
    ({ app, sees }) => `INSERT INTO recipients (workspace_id, thread_id, user_id)
      SELECT '${workspaceID}', ${thread('t')}, '${app.userID}' FROM generate_series(1, ${threads}) t WHERE ${sees}`,
  )
  const statements = [
    `INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, created_at, last_activity_at, last_position)
      SELECT '${workspaceID}', ${thread('t')}, 'thread', 'S', '${world.ada.id}', ${time('t')},
        ${time(`${messages - threads} + t`)}, ${messagesOfThread} FROM generate_series(1, ${threads}) t`,
    ...addressed,
    `INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, created_at)
      SELECT '${workspaceID}', 'msg_' || lpad(n::text, 27, '0'), ${thread(`(n - 1) % ${threads} + 1`)},
        (n - 1) / ${threads} + 1, '${world.ada.id}',
        'x' || CASE WHEN n % 3 = 0 THEN ' common' ELSE '' END || CASE WHEN n % 61 = 0 THEN ' middle' ELSE '' END,
        ${time('n')}
      FROM generate_series(1, ${messages}) n`,
    `INSERT INTO searchable_messages (workspace_id, created_at, position, message_id, words)
      SELECT workspace_id, created_at, position, id,
        replace(' ' || to_tsvector('simple', text)::text, ' ''', ' ''' || right(workspace_id, 4))::tsvector
          || array_to_tsvector(ARRAY[thread_id, author_id])
      FROM messages WHERE workspace_id = '${workspaceID}' ORDER BY created_at`,
    'DELETE FROM event_notes',
    'INSERT INTO search_progress SELECT workspace_id, position FROM event_heads',
  ]
  await operator.db.$transaction(
    async (tx) => {
      for (const statement of statements) await tx.$executeRawUnsafe(statement)
    },
    { timeout: 120_000 },
  )
  await operator.db.$executeRawUnsafe('ANALYZE')
}
