import pg from 'pg'
import type { Bench } from './bench.ts'
import { nextText, pick } from './calls.ts'
import { insertByParameters } from './insert-message.ts'
import type { Run } from './load.ts'
import { runOneByOne } from './one-by-one.ts'
import { checkStore, countRows, type Store, settle } from './store.ts'
import type { World } from './worlds.ts'

/** Row 13: one message at a time by a prepared statement, over one connection from Node. */
export async function runSingleInserts(
  bench: Bench,
  store: Store,
  world: World,
  threads: string[],
): Promise<Run> {
  const client = new pg.Client(store.url)
  await client.connect()
  await settle(store)
  const before = await countRows(store, 'messages')
  const step = (number: number) => {
    const message = `msg_I${String(before + number).padStart(26, '0')}`
    const values = [world.workspaceID, pick(threads), message, world.webhookUserID, nextText()]
    return client.query({ name: 'insert', text: insertByParameters, values })
  }
  const { warmUpSeconds, seconds } = bench.effort
  const run = await runOneByOne({ warmUpSeconds, seconds, step })
  await client.end()
  await checkStore(store, 'messages', before + run.made)
  return run
}
