import { authorsEach, id, idOf, seed } from './seed-sql.ts'
import type { Store } from './store.ts'
import type { World } from './worlds.ts'

/** Adds a user to the recipients of every `oneIn`-th existing thread. */
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

/** Adds members to a world's public group, or removes authors from it, until it has this many members. */
export async function seedMembers(store: Store, world: World, members: number): Promise<void> {
  await seed(store, async (query) => {
    const others = [world.workspaceID, authorsEach, members - 1]
    await query(
      `INSERT INTO users (workspace_id, id, kind, name)
       SELECT $1, ${id('usr', 'n')}, 'person', 'Member ' || n FROM generate_series($2::int, $3::int) AS n`,
      others,
    )
    await query(
      `INSERT INTO group_members (workspace_id, group_id, user_id)
       SELECT $1, $4, ${id('usr', 'n')} FROM generate_series($2::int, $3::int) AS n`,
      [...others, world.groupID],
    )
    if (members < authorsEach) {
      await query('DELETE FROM group_members WHERE workspace_id = $1 AND group_id = $2 AND user_id >= $3', [
        ...[world.workspaceID, world.groupID, idOf('usr', members)],
      ])
    }
  })
}

/** Deletes all messages of the world's webhook, so that only the seeded messages remain. */
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
