import type pg from 'pg'

type Held = { client: Promise<pg.PoolClient>; since?: number; running: number; failed: boolean }

const maxHeldMs = 1000
const ignore = () => undefined

/**
 * Runs statements over a pool of clients that have `pipeline` set. Statements of one name are sent over one connection
 * without waiting, so the server begins one as soon as it has committed the one before. A pipeline moves to another
 * connection if somebody waits for one, after a second, and after a failure.
 */
export function pipelines(
  pool: pg.Pool,
): (name: string, statement: pg.QueryConfig) => Promise<pg.QueryResult> {
  const open = new Map<string, Held>()

  function hold(name: string): Held {
    const client = pool.connect().then((client) => {
      held.since = performance.now()
      return client.on('error', ignore)
    })
    const held: Held = { client, running: 0, failed: false }
    open.set(name, held)
    return held
  }

  function mayGoOn({ since }: Held): boolean {
    return since === undefined || (pool.waitingCount === 0 && performance.now() < since + maxHeldMs)
  }

  return async (name, statement) => {
    const known = open.get(name)
    const held = known && mayGoOn(known) ? known : hold(name)
    const close = () => open.get(name) === held && open.delete(name)
    held.running += 1
    try {
      return await (await held.client).query(statement)
    } catch (error) {
      held.failed = true
      close()
      throw error
    } finally {
      held.running -= 1
      if (held.running === 0) {
        close()
        held.client.then((client) => client.off('error', ignore).release(held.failed), ignore)
      }
    }
  }
}
