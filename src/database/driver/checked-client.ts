import { connect } from 'node:net'
import pg from 'pg'
import { HostClient } from './host-client.ts'
import { observeStatements } from './observe-statements.ts'

const inFailedTransaction = '25P02'

/** Fails a COMMIT that PostgreSQL answers with ROLLBACK and no error, because Prisma treats that answer as success. */
export class CheckedClient extends HostClient {
  constructor(config?: pg.ClientConfig) {
    super(config)
    // Without a listener, the end of the connection ends the process. While the pool passes a client to a
    // caller, the client has no other listener. A connection can end just then, because a server that is
    // killed can send its last answer and the end of the connection in one packet.
    this.on('error', () => undefined)
  }
}

const checkedQuery = observeStatements(function (this: unknown, ...args: unknown[]): unknown {
  const result: unknown = Reflect.apply(pg.Client.prototype.query, this, args)
  return result instanceof Promise && isCommit(args[0]) ? result.then(requireCommit) : result
})
CheckedClient.prototype.query = checkedQuery as typeof CheckedClient.prototype.query

function isCommit(statement: unknown): boolean {
  const text = typeof statement === 'object' && statement ? Reflect.get(statement, 'text') : statement
  return text === 'COMMIT'
}

function requireCommit(result: pg.QueryResult): pg.QueryResult {
  if (result.command === 'COMMIT') return result
  const message = 'The transaction was rolled back because one of its statements failed'
  throw Object.assign(new Error(message), { code: inFailedTransaction, severity: 'ERROR' })
}

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
