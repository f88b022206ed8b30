import type pg from 'pg'

type Pipeline = { client: Promise<pg.PoolClient>; since?: number; running: number; failed: boolean }

const maxHeldMs = 1000
const ignore = () => undefined

/** Sends the statements of a pipeline over one connection, without waiting. The pool must have `pipeline: true`. */
export function pipelines(
  pool: pg.Pool,
): (name: string, statement: pg.QueryConfig) => Promise<pg.QueryResult> {
  // The server begins a statement as soon as it has committed the previous one.
  const open = new Map<string, Pipeline>()

  function startPipeline(name: string): Pipeline {
    const client = pool.connect().then((client) => {
      pipeline.since = performance.now()
      return client
    })
    const pipeline: Pipeline = { client, running: 0, failed: false }
    open.set(name, pipeline)
    return pipeline
  }

  // A pipeline moves to another connection after a second, after a failure, or if a caller waits for a connection.
  function mayContinue({ since }: Pipeline): boolean {
    return since === undefined || (pool.waitingCount === 0 && performance.now() < since + maxHeldMs)
  }

  return async (name, statement) => {
    const known = open.get(name)
    const pipeline = known && mayContinue(known) ? known : startPipeline(name)
    const close = () => open.get(name) === pipeline && open.delete(name)
    pipeline.running += 1
    try {
      return await (await pipeline.client).query(statement)
    } catch (error) {
      pipeline.failed = true
      close()
      throw error
    } finally {
      pipeline.running -= 1
      if (pipeline.running === 0) {
        close()
        pipeline.client.then((client) => client.release(pipeline.failed), ignore)
      }
    }
  }
}
