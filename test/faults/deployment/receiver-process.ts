// Listens on the given port. Appends each event to the given file before it answers.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file = ''] = process.argv.slice(2)

createServer(async (request, response) => {
  // A service that is killed ends its requests in the middle.
  const chunks = await request.toArray().catch(() => undefined)
  if (!chunks) return
  const body = Buffer.concat(chunks).toString()
  const { type, event: { message, thread } = {} } = body ? JSON.parse(body) : {}
  const event = {
    at: performance.timeOrigin + performance.now(),
    path: request.url,
    id: request.headers['webhook-id'],
    type,
    message: message && { id: message.id, text: message.text, state: message.state },
    thread: thread && { state: thread.state, closedAt: thread.closedAt },
  }
  if (request.method === 'POST') appendFileSync(file, `${JSON.stringify(event)}\n`)
  response.writeHead(204).end()
}).listen(Number(port), '127.0.0.1')
