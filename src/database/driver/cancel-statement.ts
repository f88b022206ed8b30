import { connect } from 'node:net'
import type pg from 'pg'

// https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
const cancelRequest = (1234 << 16) | 5678
const silenceTimeoutMs = 5000

type ConnectedClient = pg.Client & { processID: number | null; secretKey: number | null }

/** Asks the server to stop the statement of `client`. Discard `client`, because its next statement could be stopped. */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as ConnectedClient
  if (processID === null || secretKey === null) return
  const request = Buffer.alloc(16)
  for (const [index, word] of [16, cancelRequest, processID, secretKey].entries()) {
    request.writeInt32BE(word, 4 * index)
  }
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  // If the request cannot be sent, the statement ends at its own time limit.
  socket.on('error', () => socket.destroy())
  socket.setTimeout(silenceTimeoutMs, () => socket.destroy())
  socket.end(request)
  socket.resume()
}
