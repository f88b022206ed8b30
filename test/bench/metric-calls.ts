import { type Count, counter, Distribution, gauge, shortTimes } from '../../src/platform/metrics.ts'
import { say } from './bench.ts'

// Run it with `npx tsx test/bench/metric-calls.ts`. test/http/metrics.test.ts checks how many calls a request makes.
const turns = 2_000_000
/** A request makes at most this many. */
const request = { counts: 10, distributions: 20, gauges: 2 }

const distribution = new Distribution(shortTimes)
const count: Count = counter('bench', 'A counter.')
const open = gauge('bench_open', 'A gauge.')

function microsecondsOf(call: (turn: number) => void): number {
  for (let turn = 0; turn < turns / 10; turn += 1) call(turn)
  const began = performance.now()
  for (let turn = 0; turn < turns; turn += 1) call(turn)
  return ((performance.now() - began) * 1000) / turns
}

const each = {
  counts: microsecondsOf(() => count.add()),
  distributions: microsecondsOf((turn) => distribution.observe((turn % 1000) / 100)),
  gauges: microsecondsOf((turn) => (turn % 2 ? open.inc() : open.dec())),
}
for (const [name, us] of Object.entries(each)) say(`${name}: ${us.toFixed(3)} us a call`)
const us = Object.entries(request).reduce(
  (sum, [kind, calls]) => sum + calls * each[kind as keyof typeof each],
  0,
)
say(`a request: at most ${us.toFixed(2)} us`)
