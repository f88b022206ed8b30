import { type Bench, median, say } from './bench.ts'
import { type Load, type Run, runLoad } from './load.ts'
import { startMeter } from './meter.ts'
import type { Server } from './processes.ts'
import { type Counted, checkStore, countRows, type Store, settle } from './store.ts'

/** A load on the service, or a baseline. */
export type Contestant = {
  prepare?: () => Promise<void>
  run: () => Promise<Run>
  finish?: () => Promise<void>
}

/** A line of the table: a contestant compared with others of the same round. */
export type Row = {
  /** The name for `--only`. Several rows can share it. */
  number: string
  title: string
  subject: string
  baselines: string[]
  /** A description of the baselines. */
  against: string
  /** Returns the ratio of one round. The default is the ratio of requests per second to the first baseline. */
  ratio?: (subject: Run, ...baselines: Run[]) => number
  unit?: string
  wanted: { atLeast: number } | { atMost: number }
  /** The size of a request, if the table shows MiB per second. */
  mebibytesEach?: number
}

export type Measured = Row & {
  runs: Run[]
  /** The runs of each baseline. */
  baselineRuns: Run[][]
  ratios: number[]
  median: number
  holds: boolean
}

/** Rows that are measured together, on the same processes. */
export type Stage = {
  rows: Row[]
  /** The number of rounds, if it is smaller than the usual one. */
  rounds?: number
  /** Prepares the contestants with these names. Their processes stop at the end of the stage. */
  prepare: (bench: Bench, names: ReadonlySet<string>) => Promise<Record<string, Contestant>>
}

/** Runs every contestant once per round, in turn, so that a slow phase of the machine affects all of them. */
export async function runRounds(bench: Bench, stage: Stage, rows: Row[]): Promise<Measured[]> {
  const names = new Set(rows.flatMap((row) => [row.subject, ...row.baselines]))
  const contestants = await stage.prepare(bench, names)
  const rounds: Map<string, Run>[] = []
  for (const name of names) await contestants[name]?.prepare?.()
  const count = Math.min(stage.rounds ?? bench.effort.rounds, bench.effort.rounds)
  for (let round = 1; round <= count; round++) {
    const runs = new Map<string, Run>()
    for (const name of names) {
      const contestant = contestants[name]
      if (!contestant) throw new Error(`There is no contestant ${name}`)
      const run = await contestant.run()
      say(`  ${name}, round ${round}: ${run.perSecond.toFixed(0)}/s, p50 ${run.p50.toFixed(2)} ms`)
      for (const problem of run.problems) say(`    an unexpected answer: ${problem}`)
      runs.set(name, run)
    }
    rounds.push(runs)
  }
  for (const name of names) await contestants[name]?.finish?.()
  return rows.map((row) => judge(row, rounds))
}

function judge(row: Row, rounds: Map<string, Run>[]): Measured {
  const of = (name: string) => rounds.map((round) => round.get(name) as Run)
  const runs = of(row.subject)
  const baselines = row.baselines.map(of)
  const ratioOf = row.ratio ?? ((subject, baseline) => subject.perSecond / (baseline?.perSecond ?? 0))
  const ratios = runs.map((run, round) => ratioOf(run, ...baselines.map((all) => all[round] as Run)))
  const ratio = median(ratios)
  const holds = 'atLeast' in row.wanted ? ratio >= row.wanted.atLeast : ratio <= row.wanted.atMost
  return { ...row, runs, baselineRuns: baselines, ratios, median: ratio, holds }
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
      measure: () =>
        startMeter(
          servers.map((server) => server.pid),
          store && cluster.postmaster,
        ),
    })
    if (store) await checkStore(store, counted, before + run.made)
    return run
  }
  return prepare ? { prepare, run } : { run }
}
