import { createHistogram } from 'node:perf_hooks'
import type { Run } from './load.ts'

/** Repeats a step without concurrency, and measures it and the processor time of this process after a warm-up. */
export async function runOneByOne(of: {
  warmUpSeconds: number
  seconds: number
  step: (number: number) => Promise<unknown>
}): Promise<Run> {
  const times = createHistogram()
  const begin = performance.now() + of.warmUpSeconds * 1000
  const end = begin + of.seconds * 1000
  let made = 0
  let usage = process.cpuUsage()
  for (let started = performance.now(); started < end; made++) {
    await of.step(made)
    const done = performance.now()
    if (started >= begin) times.record(Math.max(1, Math.round((done - started) * 1e6)))
    else usage = process.cpuUsage()
    started = done
  }
  const of100 = (part: number) => times.percentile(part) / 1e6
  const requests = times.count
  const { user, system } = process.cpuUsage(usage)
  const cost = { serviceSeconds: (user + system) / 1e6, databaseSeconds: 0, peakMiB: 0, grownMiB: 0 }
  return {
    ...{ p50: of100(50), p95: of100(95), p99: of100(99) },
    ...{ perSecond: requests / of.seconds, requests, errors: 0, problems: [], made, cost },
  }
}
