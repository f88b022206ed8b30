import { type Bench, median, say } from './bench.ts'
import { type Load, processorMs, type Run, runLoad } from './load.ts'
import { startMeter } from './meter.ts'
import type { Server } from './processes.ts'
import { type Counted, checkStore, countRows, type Store, settle } from './store.ts'

/** A load on the service, or a baseline. */
export type Contestant = {
  prepare?: () => Promise<void>
  run: () => Promise<Run>
  finish?: () => Promise<void>
}

/** A line of a table: a contestant, and the others of the same round that it is compared with. */
export type Row = {
  /** The name for `--only`. Several rows can share it. */
  number: string
  title: string
  subject: string
  baselines?: string[]
  /** A description of the baselines. Without it, the row is in the table of latencies. */
  against?: string
  /** Returns the ratio of one round. The default is the ratio of processor time per request to the first baseline. */
  ratio?: (subject: Run, ...baselines: Run[]) => number
  unit?: string
  atMost?: number
  /** The size of a request, if the table shows MiB per second. */
  mebibytesEach?: number
  /** Says what a user may expect, given this row and all rows with its number. Equal sentences appear once. */
  expect: (row: Measured, all: Measured[]) => string
}

export type Measured = Row & {
  runs: Run[]
  /** The runs of each baseline. */
  baselineRuns: Run[][]
  ratios: number[]
  median: number
}

/** Rows that are measured together, on the same processes. */
export type Stage = {
  rows: Row[]
  /** The number of rounds, if it is smaller than the usual one. */
  rounds?: number
  /** Prepares the contestants with these names. Their processes stop at the end of the stage. */
  prepare: (bench: Bench, names: ReadonlySet<string>) => Promise<Record<string, Contestant>>
}

/** Runs every contestant once per round. Every second round is in reverse order. */
export async function runRounds(bench: Bench, stage: Stage): Promise<Measured[]> {
  const { rows } = stage
  const names = new Set(rows.flatMap((row) => [row.subject, ...(row.baselines ?? [])]))
  const contestants = await stage.prepare(bench, names)
  const rounds: Map<string, Run>[] = []
  for (const name of names) await contestants[name]?.prepare?.()
  const count = Math.min(stage.rounds ?? bench.effort.rounds, bench.effort.rounds)
  for (let round = 1; round <= count; round++) {
    const runs = new Map<string, Run>()
    for (const name of round % 2 ? names : [...names].reverse()) {
      const contestant = contestants[name]
      if (!contestant) throw new Error(`There is no contestant ${name}`)
      const run = await contestant.run()
      const cost = processorMs(run)
      const processor = Number.isFinite(cost) ? `${cost.toFixed(3)} ms of processor time, ` : ''
      say(`  ${name}, round ${round}: ${processor}p50 ${run.p50.toFixed(2)} ms`)
      for (const problem of run.problems) say(`    an unexpected answer: ${problem}`)
      runs.set(name, run)
    }
    rounds.push(runs)
  }
  for (const name of names) await contestants[name]?.finish?.()
  return rows.map((row) => compare(row, rounds))
}

function compare(row: Row, rounds: Map<string, Run>[]): Measured {
  const of = (name: string) => rounds.map((round) => round.get(name) as Run)
  const runs = of(row.subject)
  const baselineRuns = (row.baselines ?? []).map(of)
  const ratioOf = row.ratio ?? processorRatio
  const ratios = runs.map((run, round) => ratioOf(run, ...baselineRuns.map((all) => all[round] as Run)))
  return { ...row, runs, baselineRuns, ratios, median: median(ratios) }
}

function processorRatio(subject: Run, baseline?: Run): number {
  return baseline ? processorMs(subject) / processorMs(baseline) : Number.NaN
}

/** A load over HTTP. If it has a store, calls `settle` before each run, and checks the number of rows after it. */
export function httpContestant(
  bench: Bench,
  of: Pick<Load, 'nextCall'> & {
    servers: Server[]
    connections?: number
    seconds?: number
    store?: Store
    counted?: Counted
    prepare?: () => Promise<void>
    before?: () => Promise<void>
  },
): Contestant {
  const { effort, cluster } = bench
  const { servers, store, counted = 'messages', nextCall, prepare } = of
  const pids = servers.map((server) => server.pid)
  const run = async () => {
    await of.before?.()
    if (store) await settle(store)
    const before = store ? await countRows(store, counted) : 0
    const run = await runLoad({
      urls: servers.map((server) => server.url),
      connections: of.connections ?? 64,
      warmUpSeconds: effort.warmUpSeconds,
      seconds: of.seconds ?? effort.seconds,
      nextCall,
      measure: () => startMeter(pids, store && cluster),
    })
    if (store) await checkStore(store, counted, before + run.made)
    return run
  }
  return prepare ? { prepare, run } : { run }
}
