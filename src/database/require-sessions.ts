import type pg from 'pg'

/** What pg knows of the server's process, as @types/pg does not. */
type Connected = pg.Client & { processID: number | null }

const rounds = 10

const sharesSessions =
  'it is reached through a connection pooler in transaction mode, in which prepared statements and settings do not ' +
  'last. Set pool_mode = session for this database, or connect to PostgreSQL itself.'

const givesOne =
  'the connection pooler before it gives no second connection. Let its pool hold DATABASE_POOL_SIZE + 1 connections ' +
  'for each process.'

/**
 * Throws an Error if a connection pooler between here and PostgreSQL gives a connection another session for each transaction
 * (pgbouncer: `pool_mode = transaction`). Prepared statements, settings and advisory locks do not last there. Takes a
 * connected client and one that is not connected yet, whose option `query_timeout` limits the wait for a session.
 */
export async function requireSessions(client: pg.Client, other: pg.Client): Promise<void> {
  // PostgreSQL itself tells its process ID at login; a pooler tells an invented one.
  if ((await backendOf(client)) === (client as Connected).processID) return
  other.on('error', () => undefined)
  try {
    await other.connect()
    if (await isShared(client, other)) throw new Error(sharesSessions)
  } catch (error) {
    throw error instanceof Error && error.message === 'Query read timeout' ? new Error(givesOne) : error
  } finally {
    await other.end()
  }
}

/**
 * Whether two connections use one session, or one connection uses several. A pooler that hands out the session that
 * became free last gives the other connection this one's; one that hands them out in turn gives this one another.
 */
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
