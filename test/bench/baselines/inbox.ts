import pg from 'pg'
import { bareFastify, listen } from './server.ts'

// The baseline for row 27: the latest threads that the caller can see, and how many of the latest 1,000 are unread. It
// knows nothing of what concerns a person, and does not check a token.

const latest = (count: number) => `
  SELECT t.* FROM (
    SELECT * FROM threads t WHERE t.workspace_id = $1
    ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC OFFSET 0
  ) AS t
  WHERE EXISTS (
    SELECT FROM visible_threads WHERE viewer_id = $2 AND workspace_id = t.workspace_id AND id = t.id OFFSET 0)
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC LIMIT ${count}`

const countUnread = `
  SELECT count(*)::integer AS count FROM (${latest(1000)}) AS t
  WHERE t.last_position > coalesce((
    SELECT own.read_up_to + own.own_total - own.own_read FROM reads own
    WHERE own.workspace_id = t.workspace_id AND own.user_id = $2 AND own.thread_id = t.id), 0)
  OR t.called_at IS NOT NULL AND EXISTS (
    SELECT FROM (
      SELECT * FROM reads WHERE workspace_id = t.workspace_id AND user_id = $2 AND thread_id = t.id OFFSET 0
    ) AS known CROSS JOIN LATERAL (
      SELECT FROM messages m
      WHERE m.workspace_id = t.workspace_id AND m.thread_id = t.id AND m.position <= known.read_up_to
        AND m.called_at > coalesce(known.calls_read_up_to, '-infinity') AND m.author_id <> $2
        AND m.deleted_at IS NULL LIMIT 1
    ) AS called)`

type Route = { Params: { workspaceID: string; userID: string } }

const planning =
  '-c jit=off -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c random_page_cost=1.1'
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: planning })
const app = bareFastify()
app.get<Route>('/workspaces/:workspaceID/users/:userID/inbox', async ({ params }) => {
  const values = [params.workspaceID, params.userID]
  const [page, counted] = await Promise.all([
    pool.query<{ id: string; subject: string | null }>({ name: 'page', text: latest(50), values }),
    pool.query<{ count: number }>({ name: 'count', text: countUnread, values }),
  ])
  const nodes = page.rows.map(({ id, subject }) => ({ id, subject }))
  return { data: { threads: { nodes }, viewer: { unread: { threads: counted.rows[0]?.count } } } }
})
await listen(app)
