import { median } from './bench.ts'
import type { Point } from './growth.ts'
import type { Run } from './load.ts'
import type { Measured } from './rounds.ts'

const rowColumns = [
  'Row',
  'What',
  'Requests/s (min-max)',
  'p50 / p95 / p99 ms',
  'Errors',
  'CPU s per 1,000, service',
  'database',
  'Peak RSS MiB',
  'Against',
  'Requests/s',
  'Ratio (min-max)',
  'Wanted',
  'Holds',
]

const pointColumns = ['What grows', 'To', 'Load', 'Requests/s', 'p50 ms', 'p99 ms']

/** Returns a Markdown table with the medians of all rounds. Rates and ratios also have their minimum and maximum. */
export function rowTable(measured: Measured[]): string {
  return markdownTable(rowColumns, measured.map(rowCells))
}

export function growthTable(points: Point[]): string {
  const cells = ({ grows, size, load, run }: Point) => {
    const times = [twoPlaces(run.p50), twoPlaces(run.p99)]
    return [grows, whole(size), load, whole(run.perSecond), ...times]
  }
  return markdownTable(pointColumns, points.map(cells))
}

function markdownTable(head: string[], lines: string[][]): string {
  if (lines.length === 0) return ''
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}

function rowCells(row: Measured): string[] {
  const { runs, wanted } = row
  const each = (of: (run: Run) => number | undefined) => runs.map(of).filter((value) => value !== undefined)
  const rate = (run: Run) => run.perSecond * (row.mebibytesEach ?? 1)
  const unit = row.mebibytesEach ? ' MiB/s' : ''
  const times = [each((run) => run.p50), each((run) => run.p95), each((run) => run.p99)]
  const against = row.baselineRuns[0]?.map(rate)
  return [
    row.number,
    row.title,
    `${spread(each(rate), whole)}${unit}`,
    times.map((values) => middle(values, twoPlaces)).join(' / '),
    whole(runs.reduce((sum, { errors }) => sum + errors, 0)),
    middle(each(per1000('serviceSeconds')), twoPlaces),
    middle(each(per1000('databaseSeconds')), twoPlaces),
    middle(
      each((run) => run.cost?.peakMiB),
      whole,
    ),
    row.against,
    against ? `${middle(against, whole)}${unit}` : '-',
    `${spread(row.ratios, twoPlaces)}${row.unit ? ` ${row.unit}` : ''}`,
    'atLeast' in wanted ? `at least ${wanted.atLeast}` : `at most ${wanted.atMost}`,
    row.holds ? 'yes' : '**no**',
  ]
}

function per1000(part: 'serviceSeconds' | 'databaseSeconds') {
  return ({ cost, requests }: Run) => {
    const seconds = cost?.[part]
    return seconds === undefined ? undefined : (seconds / requests) * 1000
  }
}

function spread(values: number[], print: (value: number) => string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const several = values.length > 1 ? ` (${print(low)}-${print(high)})` : ''
  return print(median(values)) + several
}

function middle(values: number[], print: (value: number) => string): string {
  return values.length === 0 ? '-' : print(median(values))
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function twoPlaces(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '-'
}
