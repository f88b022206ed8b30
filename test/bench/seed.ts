import type pg from 'pg'
import type { Store } from './store.ts'
import type { World } from './worlds.ts'

export const authorsEach = 20

/** What is put into a database by SQL. Threads are numbered from `first` on, and dealt out to the worlds in turn. */
export type Volume = {
  first?: number
  threads: number
  /** Messages of each thread. They are written as time would have it: a first one in each thread, then a second. */
  messagesEach: number
  /** Users that each thread names besides its group. */
  people?: number
  /** The group that each thread names; the public one unless told. */
  group?: 'groupID' | 'privateGroupID'
  /** One message in ten has a file. */
  attachments?: boolean
}

/** The ID that the seed gave to a number: the prefix and 27 digits. */
export function idOf(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(27, '0')}`
}

export function authorsOf(world: number): string[] {
  return Array.from({ length: authorsEach }, (_, author) => idOf('usr', world * authorsEach + author))
}

/** The threads of one of so many worlds. */
export function threadsOf(volume: Volume, world = 0, worlds = 1): string[] {
  const { first = 0, threads } = volume
  const ids: string[] = []
  for (let number = world; number < threads; number += worlds) ids.push(idOf('thr', first + number))
  return ids
}

/** Makes the authors of all worlds, who are members of their public groups. */
export async function seedAuthors(store: Store, worlds: World[]): Promise<void> {
  await seed(store, async (query) => {
    const column = (name: keyof World) => worlds.map((world) => world[name])
    const values = [column('workspaceID'), worlds.length * authorsEach]
    await query(
      `INSERT INTO users (workspace_id, id, kind, name)
       SELECT ($1::text[])[n / ${authorsEach} + 1], ${id('usr', 'n')}, 'person', 'Author ' || n
       FROM generate_series(0, $2::int - 1) AS n`,
      values,
    )
    await query(
      `INSERT INTO group_members (workspace_id, group_id, user_id)
       SELECT ($1::text[])[n / ${authorsEach} + 1], ($3::text[])[n / ${authorsEach} + 1], ${id('usr', 'n')}
       FROM generate_series(0, $2::int - 1) AS n`,
      [...values, column('groupID')],
    )
  })
}

/** Makes threads with their recipients, messages and files in one transaction. */
export async function seedVolume(store: Store, worlds: World[], volume: Volume): Promise<void> {
  const { first = 0, threads, messagesEach, people = 0, group = 'groupID', attachments = false } = volume
  const workspaces = worlds.map((world) => world.workspaceID)
  const range = [workspaces, first, first + threads - 1, messagesEach]
  await seed(store, async (query) => {
    await query(
      `INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, last_position, created_at, last_activity_at)
       SELECT ${own('$1', 'n')}, ${id('thr', 'n')}, 'thread', 'Subject ' || n, ${own('$5', 'n')}, $4::int,
         ${time('0', 'n')}, ${time('greatest($4::int - 1, 0)', 'n')}
       FROM generate_series($2::int, $3::int) AS n`,
      [...range, worlds.map((world) => world.webhookUserID)],
    )
    await query(
      `INSERT INTO recipients (workspace_id, thread_id, group_id)
       SELECT ${own('$1', 'n')}, ${id('thr', 'n')}, ${own('$4', 'n')} FROM generate_series($2::int, $3::int) AS n`,
      [...range.slice(0, 3), worlds.map((world) => world[group])],
    )
    await query(
      `INSERT INTO recipients (workspace_id, thread_id, user_id)
       SELECT ${own('$1', 'n')}, ${id('thr', 'n')}, ${author('n + i')}
       FROM generate_series($2::int, $3::int) AS n, generate_series(1, $4::int) AS i`,
      [...range.slice(0, 3), people],
    )
    await query(
      `INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, created_at)
       SELECT ${own('$1', 'n')}, ${id('msg', messageNumber)}, ${id('thr', 'n')}, p, ${author('n + p')},
         'Message ' || p || ' of thread ' || n || repeat(' and more', 20), ${time('p - 1', 'n')}
       FROM ${inOrderOfTime}`,
      range,
    )
    if (attachments) await seedAttachments(query, range)
  })
}

async function seedAttachments(query: Query, range: unknown[]): Promise<void> {
  const some = `FROM ${inOrderOfTime} WHERE (p + n) % 10 = 0`
  await query(
    `INSERT INTO files (workspace_id, id, uploader_id, name, size_bytes, md5, sha256)
     SELECT ${own('$1', 'n')}, ${id('fil', messageNumber)}, ${author('n + p')}, 'report-' || n || '-' || p || '.txt', 1000,
       decode(md5(n || '-' || p), 'hex'), sha256((n || '-' || p)::bytea)
     ${some}`,
    range,
  )
  await query(
    `INSERT INTO attachments (workspace_id, message_id, position, file_id)
     SELECT ${own('$1', 'n')}, ${id('msg', messageNumber)}, 1, ${id('fil', messageNumber)} ${some}`,
    range,
  )
}

// Numbers in SQL: `n` is a thread, `p` a position. $1 holds the workspaces, to which the threads are dealt out in turn.
const messageNumber = 'p::bigint * 10000000 + n'
const id = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 27, '0')`
const own = (list: string, n: string) => `(${list}::text[])[${n} % cardinality($1::text[]) + 1]`
const author = (n: string) =>
  id('usr', `n % cardinality($1::text[]) * ${authorsEach} + (${n}) % ${authorsEach}`)
/** A millisecond for each message, in the order in which they are written. */
const time = (before: string, n: string) =>
  `now() - interval '2 days' + (${before}) * ($3::int - $2::int + 1) * interval '1 ms' + (${n} - $2::int) * interval '1 ms'`
/** The inner series refers to the outer one, so that PostgreSQL does not exchange them. */
const inOrderOfTime =
  'generate_series(1, $4::int) AS p CROSS JOIN LATERAL generate_series($2::int + 0 * p, $3::int) AS n'

/** Names a user in one of so many of the threads that are there. */
export async function seedNamed(store: Store, world: World, userID: string, oneIn: number): Promise<void> {
  await seed(store, (query) =>
    query(
      `INSERT INTO recipients (workspace_id, thread_id, user_id)
       SELECT workspace_id, id, $2 FROM (
         SELECT workspace_id, id, row_number() OVER (ORDER BY id) AS n FROM threads WHERE workspace_id = $1
       ) AS numbered WHERE n % $3::int = 0`,
      [world.workspaceID, userID, oneIn],
    ),
  )
}

/** Takes away what the world's webhook has posted, so that the volume is again what was seeded. */
export async function removePosted(store: Store, world: World): Promise<void> {
  await seed(store, async (query) => {
    await query('CREATE TEMPORARY TABLE gone (workspace_id text, thread_id text) ON COMMIT DROP', [])
    await query(
      `WITH posted AS (
         DELETE FROM messages WHERE workspace_id = $1 AND author_id = $2 RETURNING workspace_id, thread_id
       ) INSERT INTO gone SELECT * FROM posted`,
      [world.workspaceID, world.webhookUserID],
    )
    await query(
      `UPDATE threads t SET last_position = left_over.last, last_activity_at = left_over.at
       FROM (SELECT DISTINCT * FROM gone) AS touched CROSS JOIN LATERAL (
         SELECT count(*) AS last, max(created_at) AS at FROM messages m
         WHERE m.workspace_id = touched.workspace_id AND m.thread_id = touched.thread_id
       ) AS left_over
       WHERE t.workspace_id = touched.workspace_id AND t.id = touched.thread_id`,
      [],
    )
  })
}

type Query = (sql: string, values: unknown[]) => Promise<unknown>

/** One transaction without triggers where that is allowed: checking references takes longer than the writing. */
async function seed({ client }: Store, run: (query: Query) => Promise<unknown>): Promise<void> {
  await client.query('SET session_replication_role = replica').catch(() => undefined)
  await client.query('BEGIN')
  await run((sql, values) => client.query(sql, values as pg.QueryConfigValues<unknown[]>))
  await client.query('COMMIT')
  await client.query('RESET session_replication_role').catch(() => undefined)
}
