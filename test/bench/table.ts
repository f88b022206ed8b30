import { median } from './bench.ts'
import type { Point } from './growth.ts'
import { processorMs, type Run } from './load.ts'
import type { Measured } from './rounds.ts'

const comparedColumns = [
  'Row',
  'What',
  'Service, ms',
  'Database, ms',
  'Against',
  'Its ms',
  'Ratio (min-max)',
  'Wanted',
  'Holds',
  'Requests/s',
  'p50 / p99 ms',
  'Peak RSS MiB',
]
const latencyColumns = ['Row', 'What', 'p50 ms', 'p95 ms', 'p99 ms', 'Growth ms']
const capacityColumns = ['Row', 'Request', 'One processor of PostgreSQL', 'One process of the service']
const pointColumns = ['What grows', 'To', 'Load', 'Service, ms', 'Database, ms', 'Requests/s', 'p50 ms']

/** Returns Markdown tables of processor times and of latencies, with the medians of all rounds. */
export function rowTables(measured: Measured[]): { rows: string; latencies: string } {
  const isCompared = ({ against }: Measured) => against !== undefined
  return {
    rows: markdownTable(comparedColumns, measured.filter(isCompared).map(comparedCells)),
    latencies: markdownTable(latencyColumns, measured.filter((row) => !isCompared(row)).map(latencyCells)),
  }
}

/** Returns how many requests in a second keep one processor busy, for the most frequent requests. */
export function capacityTable(measured: Measured[]): string {
  const rows = measured.filter(({ number, against }) => ['1', '8', '9', '11'].includes(number) && against)
  const perSecond = (ms: (run: Run) => number, { runs }: Measured) => whole(1000 / median(runs.map(ms)))
  const cells = (row: Measured) => [
    row.number,
    row.title,
    perSecond(databaseMs, row),
    perSecond(serviceMs, row),
  ]
  return markdownTable(capacityColumns, rows.map(cells))
}

export function growthTable(points: Point[]): string {
  const cells = ({ grows, size, load, run }: Point) => {
    const parts = [twoPlaces(serviceMs(run)), twoPlaces(databaseMs(run))]
    return [grows, whole(size), load, ...parts, whole(run.perSecond), twoPlaces(run.p50)]
  }
  return markdownTable(pointColumns, points.map(cells))
}

function markdownTable(head: string[], lines: string[][]): string {
  if (lines.length === 0) return ''
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}

function comparedCells(row: Measured): string[] {
  const { runs, baselineRuns, atMost, ratios } = row
  const middle = (of: (run: Run) => number, print = twoPlaces) => print(median(runs.map(of)))
  const [baseline] = baselineRuns
  const isJudged = atMost !== undefined && Number.isFinite(row.median)
  const rate = middle(({ perSecond }) => perSecond * (row.mebibytesEach ?? 1), whole)
  return [
    row.number,
    row.title,
    middle(serviceMs),
    middle(databaseMs),
    row.against ?? '',
    baseline ? twoPlaces(median(baseline.map(processorMs))) : '-',
    `${spread(ratios)}${row.unit ? ` ${row.unit}` : ''}`,
    atMost === undefined ? '-' : `at most ${atMost}`,
    isJudged ? (row.median <= atMost ? 'yes' : '**no**') : '-',
    row.mebibytesEach ? `${rate} MiB/s` : rate,
    [middle((run) => run.p50), middle((run) => run.p99)].join(' / '),
    middle((run) => run.cost?.peakMiB ?? Number.NaN, whole),
  ]
}

function latencyCells({ number, title, runs }: Measured): string[] {
  const of = [(run: Run) => run.p50, (run: Run) => run.p95, (run: Run) => run.p99, (run: Run) => run.growth]
  return [number, title, ...of.map((part) => twoPlaces(median(runs.map((run) => part(run) ?? Number.NaN))))]
}

function serviceMs({ cost, requests }: Run): number {
  return ((cost?.serviceSeconds ?? Number.NaN) / requests) * 1000
}

function databaseMs({ cost, requests }: Run): number {
  return ((cost?.databaseSeconds ?? Number.NaN) / requests) * 1000
}

function spread(values: number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const several = values.length > 1 && Number.isFinite(low) ? ` (${twoPlaces(low)}-${twoPlaces(high)})` : ''
  return twoPlaces(median(values)) + several
}

function whole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '-'
}

function twoPlaces(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '-'
}
