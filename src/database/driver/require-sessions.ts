import type pg from 'pg'

type ConnectedClient = pg.Client & { processID: number | null }

const rounds = 10

const sharesSessions =
  'it is reached through a connection pooler in transaction mode, in which prepared statements and settings do not ' +
  'persist. Set pool_mode = session for this database, or connect to PostgreSQL directly.'

const noSecondConnection =
  'the connection pooler in front of it does not provide a second connection. Allow DATABASE_POOL_SIZE + 1 ' +
  'connections per process in its pool.'

/** Throws if a pooler gives each transaction another session. `other` must not be connected. */
export async function requireSessions(client: pg.Client, other: pg.Client): Promise<void> {
  // At login, PostgreSQL reports its process ID. A pooler reports an ID that it has invented.
  if ((await backendOf(client)) === (client as ConnectedClient).processID) return
  other.on('error', () => undefined)
  try {
    await other.connect()
    if (await isShared(client, other)) throw new Error(sharesSessions)
  } catch (error) {
    throw error instanceof Error && error.message === 'Query read timeout'
      ? new Error(noSecondConnection)
      : error
  } finally {
    await other.end()
  }
}

// If a pooler shares sessions, `client` gets another session for its next statement, or `other` gets the first one.
async function isShared(client: pg.Client, other: pg.Client): Promise<boolean> {
  const own = await backendOf(client)
  for (let round = 0; round < rounds; round += 1) {
    if ((await backendOf(client)) !== own) return true
    await other.query('BEGIN')
    const isTaken = (await backendOf(other)) === own
    await other.query('COMMIT')
    if (isTaken) return true
  }
  return false
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}
