import { createHistogram } from 'node:perf_hooks'
import type { Run } from './load.ts'

/** Repeats a step without concurrency, and measures it after a warm-up. */
export async function runOneByOne(of: {
  warmUpSeconds: number
  seconds: number
  step: (number: number) => Promise<unknown>
}): Promise<Run> {
  const times = createHistogram()
  const begin = performance.now() + of.warmUpSeconds * 1000
  const end = begin + of.seconds * 1000
  let made = 0
  for (let started = performance.now(); started < end; made++) {
    await of.step(made)
    const done = performance.now()
    if (started >= begin) times.record(Math.max(1, Math.round((done - started) * 1e6)))
    started = done
  }
  const of100 = (part: number) => times.percentile(part) / 1e6
  const requests = times.count
  return {
    ...{ p50: of100(50), p95: of100(95), p99: of100(99) },
    ...{ perSecond: requests / of.seconds, requests, errors: 0, problems: [], made },
  }
}
