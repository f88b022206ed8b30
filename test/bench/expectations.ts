import { median } from './bench.ts'
import { processorMs, type Run } from './load.ts'
import type { Measured } from './rounds.ts'

// What a user may expect from a row, in words. The figures are the medians of all rounds.

/** Returns the share of a processor that this many requests in a second use. */
export function share(row: Measured, perSecond: number): string {
  return `about ${rounded((middle(row, processorMs) * perSecond) / 10)} % of one processor`
}

/** Returns how many requests in a second keep one processor busy. */
export function perProcessor(row: Measured): string {
  return rounded(1000 / middle(row, processorMs))
}

/** Returns the processor time of one request. */
export function each(row: Measured): string {
  return `${rounded(middle(row, processorMs))} ms of processor time`
}

/** Returns the ratio of the row. */
export function times(row: Measured): string {
  return `${row.median.toFixed(2)} times`
}

/** Returns a latency. Of several rows, it is the longest. */
export function latency(part: 'p50' | 'p95' | 'p99', ...rows: Measured[]): string {
  return `${rounded(Math.max(...rows.map((row) => middle(row, (run) => run[part]))))} ms`
}

/** Returns a Markdown list of all expectations. */
export function expectationList(rows: Measured[]): string {
  const lines = rows.map((row) => {
    const all = rows.filter(({ number }) => number === row.number)
    return `- **${row.number}**: ${row.expect(row, all)}`
  })
  // An expectation contains NaN if the processor time of the database is not known.
  return [...new Set(lines)].filter((line) => !line.includes('NaN')).join('\n')
}

function middle(row: Measured, of: (run: Run) => number): number {
  return median(row.runs.map(of))
}

/** Returns a number with two significant digits. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}
