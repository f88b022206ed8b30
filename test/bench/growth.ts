import { type Bench, say } from './bench.ts'
import { scoped } from './closing.ts'
import { dimensions, type Site } from './dimensions.ts'
import { processorMs, type Run } from './load.ts'
import { startService } from './processes.ts'
import { httpContestant } from './rounds.ts'

const shortSeconds = 2
const quickSeconds = 1

/** The result of one short run at one size. The runs of a dimension differ only in the size. */
export type Point = { grows: string; size: number; load: string; run: Run }

export async function measureGrowth(bench: Bench): Promise<Point[]> {
  const { quick } = bench.effort
  const effort = { ...bench.effort, seconds: quick ? quickSeconds : shortSeconds }
  const points: Point[] = []
  for (const { grows, sizes, at } of dimensions) {
    for (const size of quick ? sizes.slice(0, 2) : sizes) {
      say(`growth: ${size} ${grows}`)
      const runs = await scoped(async () => runSite({ ...bench, effort }, await at(bench, size)))
      points.push(...runs.map(([load, run]) => ({ grows, size, load, run })))
    }
  }
  return points
}

async function runSite(bench: Bench, { filled, connections, processes = 1, loads }: Site) {
  const { service, store } = filled
  const servers = [service]
  while (servers.length < processes) servers.push(await startService(bench, { databaseURL: store.url }))
  const runs: [string, Run][] = []
  for (const [load, nextCall] of Object.entries(loads)) {
    const run = await httpContestant(bench, {
      servers,
      store,
      nextCall,
      connections: connections ?? 64,
    }).run()
    say(`  ${load}: ${processorMs(run).toFixed(3)} ms of processor time, p50 ${run.p50.toFixed(2)} ms`)
    for (const problem of run.problems) say(`    an unexpected answer: ${problem}`)
    runs.push([load, run])
  }
  return runs
}
