import { writeFile } from 'node:fs/promises'
import { createHistogram } from 'node:perf_hooks'
import pg from 'pg'
import { type Bench, output } from './bench.ts'
import { nextText } from './calls.ts'
import type { Run } from './load.ts'
import { startMeter } from './meter.ts'
import { newPath } from './processes.ts'
import { checkStore, countRows, type Store, settle } from './store.ts'
import type { World } from './worlds.ts'

/** One message in one statement: the thread's position is raised, which locks it, and the message takes it. */
export const insertMessage = (
  thread: string,
  message: string,
  text: string,
  workspace: string,
  author: string,
) => `
  WITH thread AS (
    UPDATE threads
    SET last_position = last_position + 1, last_activity_at = greatest(last_activity_at, clock_timestamp())
    WHERE workspace_id = ${workspace} AND id = ${thread}
    RETURNING last_position, last_activity_at
  )
  INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, created_at)
  SELECT ${workspace}, ${message}, ${thread}, last_position, ${author}, ${text}, last_activity_at FROM thread`

const clients = 32

/** pgbench with one such row a transaction, into threads that are numbered from 0 on. */
export async function runPgbench(bench: Bench, store: Store, world: World, threads: number): Promise<Run> {
  const { cluster, effort } = bench
  const statement = insertMessage(
    "'thr_' || lpad(:thread::text, 27, '0')",
    "'msg_' || lpad(:message::text, 27, '1')",
    `'${nextText()}'`,
    `'${world.workspaceID}'`,
    `'${world.webhookUserID}'`,
  )
  const script = newPath(bench, 'insert.sql')
  const random = `\\set thread random(0, ${threads - 1})\n\\set message random(1, 9000000000000000000)\n`
  await writeFile(script, `${random}${statement.replaceAll('\n', ' ')};\n`)
  const arguments_ = (seconds: number) => [
    ...['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(Math.ceil(seconds))],
    ...['-f', script, store.url],
  ]
  const pgbench = async (seconds: number) =>
    read(await output(cluster.program('pgbench'), arguments_(seconds)))
  await settle(store)
  const before = await countRows(store, 'messages')
  const warmUp = await pgbench(effort.warmUpSeconds)
  const stop = startMeter([], cluster.postmaster)
  const measured = await pgbench(effort.seconds)
  const cost = stop()
  await checkStore(store, 'messages', before + warmUp.requests + measured.requests)
  return { ...measured, made: warmUp.requests + measured.requests, cost }
}

function read(printed: string): Run {
  const number = (pattern: RegExp) => Number(pattern.exec(printed)?.[1])
  const requests = number(/transactions actually processed: (\d+)/)
  const errors = number(/number of failed transactions: (\d+)/) || 0
  const average = number(/latency average = ([\d.]+) ms/)
  const perSecond = number(/^tps = ([\d.]+)/m)
  if (!(perSecond > 0)) throw new Error(`pgbench did not say how fast it was: ${printed}`)
  return {
    perSecond,
    requests,
    errors,
    problems: [],
    made: requests,
    p50: average,
    p95: Number.NaN,
    p99: Number.NaN,
  }
}

/** The same statement, prepared, one at a time over one connection of Node's. */
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
  const text = insertMessage('$1', '$2', '$3', '$4', '$5')
  const times = createHistogram()
  const begin = performance.now() + bench.effort.warmUpSeconds * 1000
  const end = begin + bench.effort.seconds * 1000
  let made = 0
  for (let sent = performance.now(); sent < end; made++) {
    const thread = threads[Math.floor(Math.random() * threads.length)]
    const message = `msg_${String(before + made).padStart(27, '2')}`
    const values = [thread, message, nextText(), world.workspaceID, world.webhookUserID]
    await client.query({ name: 'insert', text, values })
    const done = performance.now()
    if (sent >= begin) times.record(Math.round((done - sent) * 1e6))
    sent = done
  }
  await client.end()
  await checkStore(store, 'messages', before + made)
  const [p50, p95, p99] = [50, 95, 99].map((part) => times.percentile(part) / 1e6) as [number, number, number]
  const requests = times.count
  return {
    perSecond: requests / bench.effort.seconds,
    p50,
    p95,
    p99,
    requests,
    errors: 0,
    problems: [],
    made,
  }
}
