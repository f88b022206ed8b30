import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { startEmbedded } from '../../src/database/embedded/embedded-database.ts'
import { repository } from '../support/process.ts'

const migrated = inject('migratedDatabase')

describe.runIf('dumpFile' in migrated)('the session of the embedded database', async () => {
  if (!('dumpFile' in migrated)) return
  const { connection, close } = await startEmbedded(migrated)
  afterAll(close)

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(connection)
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  test.each([
    ['ended', (client: pg.Client) => client.end()],
    ['cut', async (client: pg.Client) => void client.connection.stream.destroy()],
  ])('is new for a connection after another one was %s', async (_how, finish) => {
    const first = await connect()
    await first.query({ name: 'prepared', text: 'SELECT 1 AS one' })
    await first.query('CREATE TABLE left_behind ()')
    await first.query(`SET statement_timeout TO 7; BEGIN; DROP TABLE left_behind`)
    await finish(first)
    const second = await connect()
    const { rows } = await second.query({
      name: 'prepared',
      text: `SELECT current_setting('statement_timeout') AS timeout, to_regclass('left_behind')::text AS table`,
    })
    expect(rows).toEqual([{ timeout: '0', table: 'left_behind' }])
    await second.query('DROP TABLE left_behind')
    await second.end()
  })

  test('continues after an error, and returns large results completely', async () => {
    const client = await connect()
    await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero')
    const { rows } = await client.query(
      `SELECT n, repeat('é', 1000) AS text FROM generate_series(1, 3000) AS n`,
    )
    expect(rows).toEqual(Array.from({ length: 3000 }, (_, i) => ({ n: i + 1, text: 'é'.repeat(1000) })))
    await client.end()
  })
})

test.runIf('dumpFile' in migrated)('a failed database thread stops the process with a message', async () => {
  const script = `(async () => {
    const { startEmbedded } = await import('./dist/database/embedded/embedded-database.js')
    const { connection } = await startEmbedded(${JSON.stringify(migrated)})
    const startupWithoutUser = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0])
    connection.stream().write(startupWithoutUser)
  })()`
  const child = spawn(process.execPath, ['--eval', script], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  expect([code, printed]).toEqual([
    1,
    expect.stringMatching(/^The embedded database had to stop: .*FATAL:.*\n$/),
  ])
})
