import { writeFile } from 'node:fs/promises'
import { type Bench, output } from './bench.ts'
import { nextText } from './calls.ts'
import { insertMessage } from './insert-message.ts'
import type { Run } from './load.ts'
import { endedSeconds, startMeter } from './meter.ts'
import { newPath } from './processes.ts'
import { checkStore, countRows, type Store, settle } from './store.ts'
import type { World } from './worlds.ts'

const clients = 32

/** Row 2: pgbench with one message per transaction, into the seeded threads, which are numbered from 0. */
export async function runPgbench(bench: Bench, store: Store, world: World, threads: number): Promise<Run> {
  const { cluster, effort } = bench
  const script = newPath(bench, 'insert.sql')
  await writeFile(script, scriptFor(world, threads))
  const pgbench = async (seconds: number) => {
    const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(Math.ceil(seconds))]
    return read(await output(cluster.program('pgbench'), [...load, '-f', script, store.url]))
  }
  await settle(store)
  const rows = await countRows(store, 'messages')
  const warmUp = await pgbench(effort.warmUpSeconds)
  const stop = startMeter([], cluster)
  const before = endedSeconds()
  const measured = await pgbench(effort.seconds)
  const cost = { ...stop(), serviceSeconds: endedSeconds() - before }
  const made = warmUp.requests + measured.requests
  await checkStore(store, 'messages', rows + made)
  return { ...measured, made, cost }
}

function scriptFor(world: World, threads: number): string {
  const insert = insertMessage({
    workspace: `'${world.workspaceID}'`,
    thread: "'thr_' || lpad(:thread::text, 27, '0')",
    message: "'msg_' || lpad(:message::text, 27, '1')",
    author: `'${world.webhookUserID}'`,
    text: `'${nextText()}'`,
  })
  return [
    `\\set thread random(0, ${threads - 1})`,
    '\\set message random(1, 9000000000000000000)',
    `${insert.replaceAll('\n', ' ')};`,
    '',
  ].join('\n')
}

function read(printed: string): Run {
  const number = (pattern: RegExp) => Number(pattern.exec(printed)?.[1])
  const perSecond = number(/^tps = ([\d.]+)/m)
  if (!(perSecond > 0)) throw new Error(`The output of pgbench contains no rate: ${printed}`)
  const requests = number(/transactions actually processed: (\d+)/)
  const errors = number(/number of failed transactions: (\d+)/) || 0
  // pgbench reports only the average.
  const times = { p50: number(/latency average = ([\d.]+) ms/), p95: Number.NaN, p99: Number.NaN }
  return { ...times, perSecond, requests, errors, problems: [], made: requests }
}
