import { id, type Query, seed } from './seed-sql.ts'
import type { Store } from './store.ts'
import type { World } from './worlds.ts'

/** A workspace of 1,000 people. `reading` are the people who read, each with the number of groups that they are in. */
export type OfficeVolume = { threads: number; groups: number; reading: { userID: string; groups: number }[] }

const people = 1000
const webhooks = 10
const messagesEach = 5
const dmsEach = 30
const secondsBetween = 78

// In this SQL, $1 is the workspace, and `n` a thread. The first group is General. The threads were active one after the
// other until now.
const groupOf = (groups: number) =>
  `CASE WHEN n % 100 = 0 THEN $2 ELSE ${id('grp', `1 + n * 31 % ${groups - 1}`)} END`
const lastActivity = (threads: number) =>
  `now() - (${threads} + 1 - n) * interval '${secondsBetween} seconds'`

/** Inserts people with their groups, threads, messages, mentions and read positions in one transaction. */
export async function seedOffice(store: Store, world: World, volume: OfficeVolume): Promise<void> {
  const { workspaceID } = world
  const generalID = workspaceID.replace('wks_', 'grp_')
  await seed(store, async (query) => {
    await seedPeople(query, workspaceID, volume)
    await seedThreads(query, [workspaceID, generalID], volume)
    for (const [place, { userID, groups }] of volume.reading.entries())
      await seedReader(query, [workspaceID, userID], place, groups, volume)
    await query(
      `INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, created_at)
       SELECT t.workspace_id, 'msg_' || lpad((row_number() OVER ())::text, 27, '0'), t.id, p,
         coalesce(t.started_by_id, t.dm_low_user_id, ${id('usr', '1')}), 'The text of a message',
         t.last_activity_at - (${messagesEach} - p) * interval '1 minute'
       FROM threads t, generate_series(1, ${messagesEach}) AS p WHERE t.workspace_id = $1
       ORDER BY t.last_activity_at, p`,
      [workspaceID],
    )
  })
}

async function seedPeople(query: Query, workspaceID: string, { groups }: OfficeVolume): Promise<void> {
  await query(
    `INSERT INTO users (workspace_id, id, kind, name, created_at)
     SELECT $1, ${id('usr', 'n')}, CASE WHEN n <= ${people} THEN 'person' ELSE 'webhook' END, 'User ' || n,
       now() - interval '400 days'
     FROM generate_series(1, ${people + webhooks}) AS n`,
    [workspaceID],
  )
  await query(
    `INSERT INTO groups (workspace_id, id, name) SELECT $1, ${id('grp', 'n')}, 'Group ' || n
     FROM generate_series(1, ${groups - 1}) AS n`,
    [workspaceID],
  )
  await query(
    `INSERT INTO group_members (workspace_id, group_id, user_id, joined_at)
     SELECT DISTINCT $1, ${id('grp', `1 + (u * 7 + i * 13) % ${groups - 1}`)}, ${id('usr', 'u')},
       now() - interval '300 days'
     FROM generate_series(1, ${people}) AS u, LATERAL generate_series(1, 1 + u % 60) AS i`,
    [workspaceID],
  )
}

async function seedThreads(query: Query, values: string[], { threads, groups }: OfficeVolume): Promise<void> {
  await query(
    `INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, last_position, created_at,
       last_activity_at, group_ids)
     SELECT $1, ${id('thr', 'n')}, 'thread', 'Subject ' || n, ${id('usr', `${people + 1} + n % ${webhooks}`)},
       ${messagesEach}, ${lastActivity(threads)} - interval '5 minutes', ${lastActivity(threads)},
       ARRAY[${groupOf(groups)}]
     FROM generate_series(1, ${threads}) AS n`,
    values,
  )
  await query(
    `INSERT INTO recipients (workspace_id, thread_id, group_id)
     SELECT workspace_id, id, group_ids[1] FROM threads WHERE workspace_id = $1 AND kind = 'thread'`,
    values.slice(0, 1),
  )
}

/** The reader has read half of the threads that were active in the last 20 days, and is mentioned in some. */
async function seedReader(
  query: Query,
  values: string[],
  place: number,
  groups: number,
  volume: OfficeVolume,
): Promise<void> {
  await query(
    `UPDATE users SET created_at = now() - interval '400 days' WHERE workspace_id = $1 AND id = $2`,
    values,
  )
  await query(
    `UPDATE group_members SET joined_at = now() - interval '300 days' WHERE workspace_id = $1 AND user_id = $2`,
    values,
  )
  await query(
    `INSERT INTO group_members (workspace_id, group_id, user_id, joined_at)
     SELECT $1, ${id('grp', 'n')}, $2, now() - interval '300 days' FROM generate_series(1, ${groups - 1}) AS n`,
    values,
  )
  await query(
    `INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to)
     SELECT workspace_id, $2, id, ${messagesEach} FROM threads
     WHERE workspace_id = $1 AND hashtext(id || $2) % 2 = 0 AND last_activity_at > now() - interval '20 days'`,
    values,
  )
  await query(
    `INSERT INTO mentions (workspace_id, thread_id, position, target_id, mentioned_at)
     SELECT $1, ${id('thr', 'n')}, ${messagesEach}, $2, ${lastActivity(volume.threads)}
     FROM generate_series(1, ${volume.threads}) AS n WHERE n % 150 = ${place}`,
    values,
  )
  await query(
    `INSERT INTO threads (workspace_id, id, kind, dm_low_user_id, dm_high_user_id, last_position, created_at,
       last_activity_at)
     SELECT $1, ${id('thr', `${volume.threads} + ${dmsEach * place} + n`)}, 'dm', ${id('usr', 'n')}, $2,
       ${messagesEach}, now() - interval '100 days', now() - n * interval '3 hours'
     FROM generate_series(1, ${dmsEach}) AS n`,
    values,
  )
}
