import pg from 'pg'
import { bareFastify, listen } from './server.ts'

// Baseline for row 8: two prepared statements, without a token. The JSON has the form of a GraphQL response.
const pageSize = 50

const messagesOfThread = `
  SELECT t.subject, m.id, m.position, m.text, m.created_at, u.id AS user_id, u.name AS user_name
  FROM threads t
  JOIN messages m ON m.workspace_id = t.workspace_id AND m.thread_id = t.id
  JOIN users u ON u.workspace_id = m.workspace_id AND u.id = m.author_id
  WHERE t.workspace_id = $1 AND t.id = $2
  ORDER BY m.position LIMIT ${pageSize + 1}`

const filesOfMessages = `
  SELECT a.message_id, f.id, f.name
  FROM attachments a JOIN files f ON f.workspace_id = a.workspace_id AND f.id = a.file_id
  WHERE a.workspace_id = $1 AND a.message_id = ANY($2)
  ORDER BY a.message_id, a.position`

type MessageRow = {
  subject: string
  id: string
  position: number
  text: string
  created_at: Date
  user_id: string
  user_name: string
}
type FileRow = { message_id: string; id: string; name: string }
type Route = { Params: { workspaceID: string; threadID: string } }

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = bareFastify()
app.get<Route>('/workspaces/:workspaceID/threads/:threadID', async ({ params }) => {
  const { workspaceID, threadID } = params
  const values = [workspaceID, threadID]
  const { rows } = await pool.query<MessageRow>({ name: 'messages', text: messagesOfThread, values })
  const page = rows.slice(0, pageSize)
  const messageIDs = page.map(({ id }) => id)
  const filed = await pool.query<FileRow>({
    name: 'files',
    text: filesOfMessages,
    values: [workspaceID, messageIDs],
  })
  const filesOf = new Map<string, { id: string; name: string }[]>(messageIDs.map((id) => [id, []]))
  for (const { message_id, id, name } of filed.rows) filesOf.get(message_id)?.push({ id, name })
  const nodes = page.map((row) => ({
    id: row.id,
    text: row.text,
    createdAt: row.created_at,
    user: { id: row.user_id, name: row.user_name },
    attachments: { nodes: filesOf.get(row.id) },
  }))
  const pageInfo = { hasNextPage: rows.length > pageSize, endCursor: cursorOf(page.at(-1)) }
  return { data: { thread: { id: threadID, subject: rows[0]?.subject, messages: { nodes, pageInfo } } } }
})
await listen(app)

function cursorOf(row: MessageRow | undefined): string | null {
  return row ? Buffer.from(JSON.stringify(['messages', String(row.position)])).toString('base64url') : null
}
