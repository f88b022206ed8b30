import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

// Row 23: the cost of receiving events without any work. GET /arrivals/<count> waits for this many events. Row 24 also
// sends events to /slow.
const slowMs = 9000
const arrived = new Set<string>()
const hanging = new Set<ServerResponse>()
const times = { first: 0, last: 0 }
let onArrival = () => {}

const server = createServer(async (request, response) => {
  const { method, url = '', headers } = request
  await text(request)
  if (url === '/hang') return hanging.add(response)
  if (url === '/slow') return setTimeout(() => response.writeHead(204).end(), slowMs)
  if (method === 'POST') {
    note(`${url} ${headers['webhook-id']}`)
    response.writeHead(204).end()
    return onArrival()
  }
  if (method === 'DELETE') forget()
  const [, count = '0'] = /^\/arrivals\/(\d+)$/.exec(url) ?? []
  const answer = () => {
    if (arrived.size < Number(count)) return
    onArrival = () => {}
    response.end(JSON.stringify(times))
  }
  onArrival = answer
  answer()
})
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.PORT), '127.0.0.1')

function forget(): void {
  arrived.clear()
  for (const response of hanging) response.destroy()
  hanging.clear()
}

// A repeated event counts once. All processes of a machine have the same clock for hrtime.
function note(event: string): void {
  if (arrived.has(event)) return
  times.last = Number(process.hrtime.bigint()) / 1e6
  if (arrived.size === 0) times.first = times.last
  arrived.add(event)
}
