import { Command } from 'commander'
import { type Bench, folderOnDisk, fullEffort, quickEffort, say } from './bench.ts'
import { scoped, undoOnSignals } from './closing.ts'
import { openCluster } from './cluster.ts'
import { printTable } from './report.ts'
import { type Measured, runRounds, type Stage } from './rounds.ts'
import { embedded } from './rows/embedded.ts'
import { few } from './rows/few.ts'
import { mixed } from './rows/mixed.ts'
import { posts } from './rows/posts.ts'
import { reads } from './rows/reads.ts'
import { uploads } from './rows/uploads.ts'
import { volume } from './rows/volume.ts'

const stages: Stage[] = [posts, reads, few, uploads, volume, embedded, mixed]

type Options = { json?: boolean; only?: string; quick?: boolean }

const command = new Command('bench')
  .description('Measures the service against baselines on this machine.')
  .option('--json', 'print what was measured as JSON')
  .option('--only <rows>', 'only these: numbers of rows with commas between, or growth')
  .option('--quick', 'short runs on little: to see that everything works')
command.parse()
undoOnSignals()
await scoped(() => bench(command.opts<Options>()))

async function bench(options: Options): Promise<void> {
  const effort = options.quick ? quickEffort : fullEffort
  const folder = await folderOnDisk()
  const cluster = await openCluster(folder)
  const bench: Bench = { effort, folder, cluster }
  const only = options.only?.split(',').map((name) => name.trim())
  const measured: Measured[] = []
  for (const stage of stages) {
    const rows = stage.rows.filter(
      ({ number }) => !only || only.some((name) => name === number || name === number.replace(/\D.*/, '')),
    )
    if (rows.length === 0) continue
    say(`rows ${[...new Set(rows.map(({ number }) => number))].join(', ')}`)
    measured.push(...(await scoped(() => runRounds(bench, stage, rows))))
  }
  process.stdout.write(`${printTable(measured)}\n`)
  if (measured.some(({ runs }) => runs.some(({ errors }) => errors > 0))) process.exitCode = 1
}
