import { plainText } from '../../../text/markdown/plain-text.ts'
import { fieldsOf, listOf, textOf } from '../json-values.ts'
import { codeBlock, oneLine } from '../markdown.ts'
import { asText } from './references.ts'
import { richTextMarkdown } from './rich-text.ts'

const maxColumns = 20
const maxPadding = 40

/** Writes a table as code with aligned columns, because Markdown of messages has no tables. */
export function tableMarkdown(block: unknown): string {
  const rows = listOf(fieldsOf(block).rows).map((row) => listOf(row).slice(0, maxColumns).map(cellText))
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

function cellText(cell: unknown): string {
  const { type, text, value } = fieldsOf(cell)
  if (type === 'rich_text') return oneLine(plainText(richTextMarkdown(cell, asText), []))
  return oneLine(textOf(text) || textOf(value) || textOf(cell))
}
