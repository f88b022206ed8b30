import { median } from './bench.ts'
import type { Run } from './load.ts'
import type { Measured } from './rounds.ts'

const columns = [
  'row',
  'what',
  'requests/s (min-max)',
  'p50 / p95 / p99 ms',
  'errors',
  'CPU s per 1,000, service',
  'CPU s per 1,000, database',
  'peak RSS MiB',
  'against',
  'requests/s',
  'ratio (min-max)',
  'wanted',
  '',
]

/** The rows as a table in Markdown. */
export function printTable(measured: Measured[]): string {
  return markdownTable(columns, measured.map(cellsOf))
}

export function markdownTable(head: string[], lines: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}

function cellsOf(row: Measured): string[] {
  const { runs, baselineRuns, ratios, wanted } = row
  const each = (of: (run: Run) => number | undefined) => runs.map(of).filter((value) => value !== undefined)
  const rate = (run: Run) => run.perSecond * (row.mebibytesEach ?? 1)
  const per1000 = (seconds: number | undefined, { requests }: Run) =>
    seconds === undefined ? undefined : (seconds / requests) * 1000
  const unit = row.mebibytesEach ? ' MiB/s' : ''
  const against = baselineRuns.length > 0 ? `${whole(median(baselineRuns.map(rate)))}${unit}` : '-'
  return [
    row.number,
    row.title,
    `${spread(each(rate), whole)}${unit}`,
    [each((run) => run.p50), each((run) => run.p95), each((run) => run.p99)]
      .map((values) => middle(values))
      .join(' / '),
    whole(each((run) => run.errors).reduce((sum, errors) => sum + errors, 0)),
    middle(each((run) => per1000(run.cost?.serviceSeconds, run))),
    middle(each((run) => per1000(run.cost?.databaseSeconds, run))),
    middle(
      each((run) => run.cost?.peakMiB),
      whole,
    ),
    row.against,
    against,
    `${spread(ratios, twoPlaces)}${row.unit ? ` ${row.unit}` : ''}`,
    'atLeast' in wanted ? `at least ${wanted.atLeast}` : `at most ${wanted.atMost}`,
    row.holds ? 'holds' : '**missed**',
  ]
}

function spread(values: number[], print: (value: number) => string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const several = values.length > 1 ? ` (${print(low)}-${print(high)})` : ''
  return print(median(values)) + several
}

function middle(values: number[], print: (value: number) => string = twoPlaces): string {
  return values.length === 0 ? '-' : print(median(values))
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function twoPlaces(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(2)
}
