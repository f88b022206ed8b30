import type pg from 'pg'

type Held = { client: Promise<pg.PoolClient>; since?: number; running: number; failed: boolean }

const maxHeldMs = 1000
const ignore = () => undefined

/**
 * Runs statements over a pool of clients that have `pipeline` set. Those of one name go over one connection, each as
 * soon as it is there: the server takes up the next one when it has committed the one before, and need not wait for us.
 * While somebody waits for a connection, and after a second, a pipeline goes on over the next connection that is free;
 * so does it after a failure, as after `pool.query`.
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
