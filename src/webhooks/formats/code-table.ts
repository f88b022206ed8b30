import { codeBlock } from './markdown.ts'

const maxPadding = 40

/** Writes rows of cells as code with aligned columns, because Markdown of messages has no tables. */
export function codeTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, { length }] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, Math.min(length, maxPadding))
  }
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.some((line) => line !== '') ? codeBlock(lines.join('\n')) : ''
}
