import { Command } from 'commander'
import { besideCheckout } from './against.ts'
import { type Bench, folderOnDisk, fullEffort, quickEffort, say } from './bench.ts'
import { scoped, undoOnSignals } from './closing.ts'
import { openCluster } from './cluster.ts'
import { describeMachine, figureList, writeDocument } from './document.ts'
import { expectationList } from './expectations.ts'
import { type Figure, measureFootprint } from './footprint.ts'
import { measureGrowth, type Point } from './growth.ts'
import { type Measured, runRounds, type Stage } from './rounds.ts'
import { acts } from './rows/acts.ts'
import { deliveries } from './rows/deliveries.ts'
import { downloads } from './rows/downloads.ts'
import { embedded } from './rows/embedded.ts'
import { fairness } from './rows/fairness.ts'
import { few } from './rows/few.ts'
import { formats } from './rows/formats.ts'
import { mine } from './rows/mine.ts'
import { mixed } from './rows/mixed.ts'
import { neighbours } from './rows/neighbours.ts'
import { posts } from './rows/posts.ts'
import { reads } from './rows/reads.ts'
import { search } from './rows/search.ts'
import { searchCallers } from './rows/search-callers.ts'
import { storm } from './rows/storm.ts'
import { subscriptions } from './rows/subscriptions.ts'
import { uploads } from './rows/uploads.ts'
import { volume } from './rows/volume.ts'
import { capacityTable, growthTable, rowTables } from './table.ts'
import { measureWebApp } from './web-app.ts'

// rows/ defines the comparisons, and rounds.ts runs them, and against.ts replaces the baselines. load.ts sends the requests, and meter.ts
// measures their cost. pages.ts, seed*.ts and store.ts fill, settle and count the databases. dimensions.ts
// defines the growth.
const stages: Stage[] = [
  posts,
  formats,
  reads,
  acts,
  few,
  storm,
  uploads,
  downloads,
  volume,
  embedded,
  mixed,
  search,
  searchCallers,
  fairness,
  subscriptions,
  deliveries,
  neighbours,
  mine,
]
const besides = ['footprint', 'growth', 'web-app']

type Options = { against?: string; json?: boolean; only?: string; quick?: boolean; rounds?: string }
type Results = { rows: Measured[]; footprint: Figure[]; growth: Point[]; webApp: Figure[] }

const command = new Command('bench')
  .description(
    'Measures the service against baselines on this machine. A whole run writes docs/performance.md.',
  )
  .option(
    '--against <folder>',
    'compare with the service of another built checkout, instead of the baselines',
  )
  .option('--json', 'print what was measured as JSON')
  .option('--only <rows>', `only these, with commas between: numbers of rows, ${besides.join(', ')}`)
  .option('--quick', 'short runs on little: to see that everything works')
  .option('--rounds <count>', 'how often everything is measured')
command.parse()
undoOnSignals()
process.exitCode = await scoped(() => main(command.opts<Options>()))

async function main(options: Options): Promise<number> {
  const isWanted = wantedBy(options.only)
  const folder = await folderOnDisk()
  const cluster = await openCluster(folder)
  const effort = { ...(options.quick ? quickEffort : fullEffort) }
  if (options.rounds) effort.rounds = Number(options.rounds)
  const bench: Bench = { effort, folder, cluster }
  const results: Results = { rows: [], footprint: [], growth: [], webApp: [] }
  const failures = await measureAll(bench, isWanted, results, options.against)
  const machine = await describeMachine(cluster)
  const parts = {
    machine: figureList(machine),
    ...rowTables(results.rows),
    expectations: options.against ? '' : expectationList(results.rows),
    capacity: capacityTable(results.rows),
    footprint: figureList(results.footprint),
    growth: growthTable(results.growth),
    'web app': figureList(results.webApp),
  }
  const asked = Object.values(parts).filter((part) => part !== '')
  const printed = options.json ? JSON.stringify({ machine, ...results }, undefined, 2) : asked.join('\n\n')
  process.stdout.write(`${printed}\n`)
  const runs = [
    ...results.rows.flatMap((row) => [row.runs, ...row.baselineRuns].flat()),
    ...results.growth.map(({ run }) => run),
  ]
  if (failures > 0 || runs.some(({ errors }) => errors > 0)) return 1
  const { against, only, quick, rounds } = options
  if (!against && !only && !quick && !rounds && cluster.postmaster) await writeDocument(parts)
  return 0
}

/** A failure, such as a mismatch in the database, ends only its stage. */
async function measureAll(
  bench: Bench,
  isWanted: (name: string) => boolean,
  results: Results,
  against: string | undefined,
): Promise<number> {
  let failures = 0
  const attempt = (measure: () => Promise<void>) =>
    scoped(measure).catch((error: unknown) => {
      failures++
      say(`FAILED: ${error instanceof Error ? error.stack : error}`)
    })
  for (const stage of stages) {
    const rows = stage.rows.filter(({ number }) => isWanted(number))
    if (rows.length === 0) continue
    say(`rows ${[...new Set(rows.map(({ number }) => number))].join(', ')}`)
    await attempt(async () => {
      const compared = against ? await besideCheckout(against, stage, rows) : { ...stage, rows }
      if (compared.rows.length > 0) results.rows.push(...(await runRounds(bench, compared)))
    })
  }
  if (against) return failures
  results.rows.sort((a, b) => Number.parseInt(a.number, 10) - Number.parseInt(b.number, 10))
  if (isWanted('footprint')) {
    await attempt(async () => void results.footprint.push(...(await measureFootprint(bench))))
  }
  if (isWanted('web-app'))
    await attempt(async () => void results.webApp.push(...(await measureWebApp(bench))))
  if (isWanted('growth')) await attempt(async () => void results.growth.push(...(await measureGrowth(bench))))
  return failures
}

/** Returns a function that checks whether `--only` names a row. The number 9 names the rows 9, 9b and 9c. */
function wantedBy(only: string | undefined): (name: string) => boolean {
  if (only === undefined) return () => true
  const named = only.split(',').map((name) => name.trim())
  const isNamed = (number: string) => named.includes(number) || named.includes(number.replace(/\D+$/, ''))
  const known = [...stages.flatMap(({ rows }) => rows.map(({ number }) => number)), ...besides]
  const unknown = named.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no row ${unknown}: ${known.join(', ')}`)
  return isNamed
}
