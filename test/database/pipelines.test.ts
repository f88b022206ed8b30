import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CheckedClient } from '../../src/database/driver/checked-client.ts'
import { pipelines } from '../../src/database/driver/pipelines.ts'

const connectionString = process.env.TEST_DATABASE_URL ?? ''

describe.runIf(connectionString)('statements of a pipeline', () => {
  let pool: pg.Pool
  let run: ReturnType<typeof pipelines>

  beforeAll(() => {
    const options = { connectionString, max: 2, pipeline: true, connectionTimeoutMillis: 15_000 }
    pool = new pg.Pool({ ...options, Client: CheckedClient })
    run = pipelines(pool)
  })

  afterAll(() => pool.end())

  /** Selects the server process that runs the statement, and the time at which it started, in seconds. */
  const begun = 'SELECT pg_backend_pid() AS pid, extract(epoch FROM statement_timestamp())::float8 AS at'

  async function pidOf(statement: Promise<pg.QueryResult>): Promise<number> {
    return (await statement).rows[0].pid
  }

  test('run in order on one connection, and another pipeline uses another connection', async () => {
    const holder = new pg.Client({ connectionString })
    await holder.connect()
    await holder.query('SELECT pg_advisory_lock(1)')
    const waiting = run('a', { text: `${begun} FROM pg_advisory_xact_lock(1)` })
    const next = run('a', { text: begun })
    const other = await run('b', { text: begun })
    await holder.end()
    const [first, second] = await Promise.all([waiting, next])
    expect(second?.rows[0].pid).toBe(first?.rows[0].pid)
    expect(second?.rows[0].at - other.rows[0].at).toBeGreaterThan(0)
    expect(other.rows[0].pid).not.toBe(first?.rows[0].pid)
  })

  test('are sent without waiting for the answer to the previous statement', async () => {
    const client = await pool.connect()
    const sent: string[] = []
    client.release()
    const write = client.connection.stream.write.bind(client.connection.stream)
    client.connection.stream.write = ((...args: Parameters<typeof write>) => {
      sent.push(String(args[0]))
      return write(...args)
    }) as typeof write
    let isAnswered = false
    const first = run('a', { text: 'SELECT 1 FROM pg_sleep(2)' }).finally(() => {
      isAnswered = true
    })
    const answers = [first, run('a', { text: 'SELECT 2' })]
    await expect.poll(() => sent.filter((text) => text.includes('SELECT'))).toHaveLength(2)
    expect(isAnswered).toBe(false)
    client.connection.stream.write = write
    await Promise.all(answers)
  })

  test('fail individually, and no later pipeline uses the connection of a failed statement', async () => {
    const before = pidOf(run('a', { text: begun }))
    const failing = run('a', { text: 'SELECT 1/0' })
    const after = pidOf(run('a', { text: begun }))
    await expect(failing).rejects.toThrow('division by zero')
    expect(await after).toBe(await before)
    expect(await pidOf(run('a', { text: begun }))).not.toBe(await before)
  })

  test('fail if their connection closes, and the next ones run on a new connection', async () => {
    const ending = run('a', { text: 'SELECT pg_terminate_backend(pg_backend_pid())' })
    const behind = run('a', { text: begun })
    await expect(ending).rejects.toThrow()
    await expect(behind).rejects.toThrow()
    expect(await pidOf(run('a', { text: begun }))).toBeGreaterThan(0)
  })

  test('release their connection if others wait for one', async () => {
    let isOver = false
    const busy = ['a', 'b'].map(async (name) => {
      const keepOn = async () => {
        while (!isOver) await run(name, { text: 'SELECT pg_sleep(0.01)' })
      }
      await Promise.all([keepOn(), keepOn()])
    })
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(2)
    const others = Array.from({ length: 20 }, (_, index) => run(`other ${index}`, { text: begun }))
    const answers = await Promise.all([...others, pool.query(begun)])
    isOver = true
    await Promise.all(busy)
    expect(answers).toHaveLength(21)
    expect(pool.totalCount - pool.idleCount).toBe(0)
  })
})
