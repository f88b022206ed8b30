import { connect } from 'node:net'
import type pg from 'pg'

const cancelRequest = (1234 << 16) | 5678
const silenceTimeoutMs = 5000

/** What pg knows of the server's process, as @types/pg does not. */
type Connected = pg.Client & { processID: number | null; secretKey: number | null }

/**
 * Asks the server to stop what a connection runs (CancelRequest:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS). It takes a connection
 * of its own, which counts against no limit of the server, needs no login and is not encrypted. Nobody answers it, and it
 * may come too late: so the connection is not to be used again, lest it stops something else.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as Connected
  if (processID === null || secretKey === null) return
  const request = Buffer.alloc(16)
  for (const [index, word] of [16, cancelRequest, processID, secretKey].entries()) {
    request.writeInt32BE(word, 4 * index)
  }
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  // Where it cannot be sent, the statement ends by its own time limit.
  socket.on('error', () => socket.destroy())
  socket.setTimeout(silenceTimeoutMs, () => socket.destroy())
  socket.end(request)
  socket.resume()
}
