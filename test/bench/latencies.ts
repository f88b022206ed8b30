import { createHistogram } from 'node:perf_hooks'
import type { Bench } from './bench.ts'
import type { Connection } from './connection.ts'
import type { Call, Run } from './load.ts'
import { startMeter } from './meter.ts'

/** Repeats a step for as long as a run takes. Each step returns the times that it measured, in milliseconds. */
export async function runLatencies(bench: Bench, pid: number, step: () => Promise<number[]>): Promise<Run> {
  const times = createHistogram()
  const end = performance.now() + bench.effort.seconds * 1000
  const stop = startMeter([pid], bench.cluster)
  let steps = 0
  for (; performance.now() < end; steps++)
    for (const time of await step()) times.record(Math.max(1, Math.round(time * 1e6)))
  const [p50 = 0, p95 = 0, p99 = 0] = [50, 95, 99].map((part) => times.percentile(part) / 1e6)
  const perSecond = times.count / bench.effort.seconds
  const counts = { requests: steps, errors: 0, problems: [], made: steps }
  return { perSecond, p50, p95, p99, ...counts, cost: stop() }
}

/** Sends a call that must succeed. */
export async function sendSafely(connection: Connection, call: Call): Promise<void> {
  const { status } = await connection.send(call)
  if (status !== 200) throw new Error(`status ${status}`)
}
