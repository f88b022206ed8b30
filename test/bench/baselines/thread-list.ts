import pg from 'pg'
import { bareFastify, listen } from './server.ts'

// Baselines for rows 9 and 15. Each kind of caller has one prepared statement, the fastest that we tried. The baseline
// does not check a token.

/** For a caller who sees most threads: walks them by activity and checks whether each is visible. */
const byActivity = `
  SELECT t.id, t.subject, t.last_position, t.activity_period, t.last_activity_at
  FROM threads t
  WHERE t.workspace_id = $1 AND (
    EXISTS (
      SELECT FROM recipients r
      WHERE r.workspace_id = $1 AND r.thread_id = t.id
        AND (r.user_id = $2 OR r.group_id IN (SELECT id FROM seen)) OFFSET 0)
    OR t.chat_group_id IN (SELECT id FROM seen) OR t.dm_low_user_id = $2 OR t.dm_high_user_id = $2)
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC LIMIT 50`

/** For a caller who sees few threads: sorts the threads of which the caller or a visible group is a recipient. */
const byCaller = `
  SELECT t.id, t.subject, t.last_position, t.activity_period, t.last_activity_at
  FROM (
    SELECT thread_id FROM recipients WHERE workspace_id = $1 AND user_id = $2
    UNION SELECT named.thread_id FROM seen CROSS JOIN LATERAL (
      SELECT thread_id FROM recipients WHERE workspace_id = $1 AND group_id = seen.id OFFSET 0) AS named
    UNION SELECT id FROM threads WHERE workspace_id = $1 AND chat_group_id IN (SELECT id FROM seen)
    UNION SELECT id FROM threads WHERE workspace_id = $1 AND dm_low_user_id = $2
    UNION SELECT id FROM threads WHERE workspace_id = $1 AND dm_high_user_id = $2
  ) AS visible CROSS JOIN LATERAL (
    SELECT * FROM threads WHERE workspace_id = $1 AND id = visible.thread_id OFFSET 0) AS t
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC LIMIT 50`

const recipients = {
  columns: 'named.ids, named.names',
  join: `CROSS JOIN LATERAL (
    SELECT array_agg(n.recipient_id) AS ids, array_agg(n.name) AS names FROM (
      SELECT r.recipient_id, coalesce(u.name, seen.name) AS name
      FROM recipients r
      LEFT JOIN users u ON u.workspace_id = r.workspace_id AND u.id = r.user_id
      LEFT JOIN seen ON seen.id = r.group_id
      WHERE r.workspace_id = $1 AND r.thread_id = t.id AND (r.group_id IS NULL OR seen.id IS NOT NULL)
      ORDER BY r.recipient_id LIMIT 10) AS n
  ) AS named`,
}

const unread = {
  columns: 't.last_position - coalesce(own.read_up_to + own.own_total - own.own_read, 0) AS unread',
  join: 'LEFT JOIN reads own ON own.workspace_id = $1 AND own.user_id = $2 AND own.thread_id = t.id',
}

const listOf = (threads: string, shown: typeof recipients) => `
  WITH seen AS MATERIALIZED (
    SELECT g.id, g.name FROM groups g
    WHERE g.workspace_id = $1 AND (NOT g.is_private OR EXISTS (
      SELECT FROM group_members own
      WHERE own.workspace_id = $1 AND own.group_id = g.id AND own.user_id = $2))
  )
  SELECT t.id, t.subject, ${shown.columns},
    m.id AS message_id, m.text, m.created_at, u.id AS user_id, u.name AS user_name
  FROM (${threads}) AS t ${shown.join}
  JOIN messages m ON m.workspace_id = $1 AND m.thread_id = t.id AND m.position = t.last_position
  JOIN users u ON u.workspace_id = $1 AND u.id = m.author_id
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC`

const statements = {
  all: listOf(byActivity, recipients),
  few: listOf(byCaller, recipients),
  unread: listOf(byActivity, unread),
}

type Row = {
  id: string
  subject: string
  ids?: string[]
  names?: string[]
  unread?: number
  message_id: string
  text: string
  created_at: Date
  user_id: string
  user_name: string
}
type Route = { Params: { workspaceID: string; userID: string; sees: keyof typeof statements } }

// With jit=on, PostgreSQL would compile the statement `few`, and this would take longer than the statement itself.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c jit=off' })
const app = bareFastify()
app.get<Route>('/workspaces/:workspaceID/users/:userID/threads/:sees', async ({ params }) => {
  const { workspaceID, userID, sees } = params
  const values = [workspaceID, userID]
  const { rows } = await pool.query<Row>({ name: sees, text: statements[sees], values })
  return { data: { threads: { nodes: rows.map(threadOf) } } }
})
await listen(app)

function threadOf(row: Row) {
  const user = { id: row.user_id, name: row.user_name }
  const message = { id: row.message_id, text: row.text, createdAt: row.created_at, user }
  const { ids, names, unread } = row
  return {
    id: row.id,
    subject: row.subject,
    ...(ids && { recipients: { nodes: ids.map((id, index) => ({ id, name: names?.[index] })) } }),
    ...(unread !== undefined && { unreadCount: unread }),
    messages: { nodes: [message] },
  }
}
