import { indexSeeded, searchableText, seedSentences } from './seed-search.ts'
import {
  author,
  authorsEach,
  id,
  idOf,
  inOrderOfTime,
  messageNumber,
  own,
  type Query,
  seed,
  time,
} from './seed-sql.ts'
import type { Store } from './store.ts'
import type { World } from './worlds.ts'

/** What to insert by SQL. Threads are numbered from `first` and distributed to the worlds in turn. */
export type Volume = {
  first?: number
  threads: number
  /** The number of messages of each thread. The first messages of all threads are inserted first, then the second. */
  messagesEach: number
  /** The number of users that are recipients of each thread besides its group. */
  people?: number
  /** The group that is a recipient of each thread. By default, it is the public group. */
  group?: 'groupID' | 'privateGroupID'
  /** One message in ten has a file. */
  attachments?: boolean
  /** Messages have a searchable text of some thirty words. */
  searchable?: boolean
}

/** Returns the IDs of one world's threads. */
export function threadsOf(volume: Volume, world = 0, worlds = 1): string[] {
  const { first = 0, threads } = volume
  const ids: string[] = []
  for (let number = world; number < threads; number += worlds) ids.push(idOf('thr', first + number))
  return ids
}

/** Inserts the authors of all worlds, who are members of the public groups. */
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

/** Inserts threads with their recipients, messages and files in one transaction. */
export async function seedVolume(store: Store, worlds: World[], volume: Volume): Promise<void> {
  const { first = 0, threads, messagesEach, people = 0, group = 'groupID', attachments = false } = volume
  const workspaces = worlds.map((world) => world.workspaceID)
  const range = [workspaces, first, first + threads - 1, messagesEach]
  const text = volume.searchable
    ? searchableText(`(p - 1) * ${threads}::bigint + n - ${first}`, threads * messagesEach)
    : "'Message ' || p || ' of thread ' || n || repeat(' and more', 20)"
  await seed(store, async (query) => {
    if (volume.searchable) await seedSentences(query)
    await query(
      `INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, last_position, created_at, last_activity_at, group_ids)
       SELECT ${own('$1', 'n')}, ${id('thr', 'n')}, 'thread', 'Subject ' || n, ${own('$5', 'n')}, $4::int,
         ${time('0', 'n')}, ${time('greatest($4::int - 1, 0)', 'n')}, ARRAY[${own('$6', 'n')}]
       FROM generate_series($2::int, $3::int) AS n`,
      [...range, worlds.map((world) => world.webhookUserID), worlds.map((world) => world[group])],
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
      `INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, created_at, attachment_count)
       SELECT ${own('$1', 'n')}, ${id('msg', messageNumber)}, ${id('thr', 'n')}, p, ${author('n + p')},
         ${text}, ${time('p - 1', 'n')},
         ${attachments ? `(${hasAttachment})::int` : 0}
       FROM ${inOrderOfTime}`,
      range,
    )
    if (attachments) await seedAttachments(query, range)
  })
  if (volume.searchable) await indexSeeded(store, worlds)
}

/** Marks the first half of the messages of every second thread as read by the world's app. */
export async function seedReads(store: Store, world: World): Promise<void> {
  await seed(store, async (query) => {
    await query(
      `INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to)
       SELECT workspace_id, $2, id, last_position / 2 FROM threads
       WHERE workspace_id = $1 AND right(id, 1)::int % 2 = 0 AND kind = 'thread'`,
      [world.workspaceID, world.appUserID],
    )
  })
}

const hasAttachment = '(p + n) % 10 = 0'

async function seedAttachments(query: Query, range: unknown[]): Promise<void> {
  const some = `FROM ${inOrderOfTime} WHERE ${hasAttachment}`
  await query(
    `WITH file AS (
       INSERT INTO files (workspace_id, id, uploader_id, name, size_bytes, md5, sha256)
       SELECT ${own('$1', 'n')}, ${id('fil', messageNumber)}, ${author('n + p')}, 'report-' || n || '-' || p || '.txt', 1000,
         decode(md5(n || '-' || p), 'hex'), sha256((n || '-' || p)::bytea)
       ${some} RETURNING sha256)
     INSERT INTO contents (sha256) SELECT DISTINCT sha256 FROM file ON CONFLICT DO NOTHING`,
    range,
  )
  await query(
    `INSERT INTO attachments (workspace_id, message_id, position, file_id)
     SELECT ${own('$1', 'n')}, ${id('msg', messageNumber)}, 1, ${id('fil', messageNumber)} ${some}`,
    range,
  )
}
