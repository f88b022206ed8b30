import { plainText } from '../../../text/markdown/plain-text.ts'
import { codeTable } from '../code-table.ts'
import { fieldsOf, listOf, textOf } from '../json-values.ts'
import { oneLine } from '../markdown.ts'
import { asText } from './references.ts'
import { richTextMarkdown } from './rich-text.ts'

const maxColumns = 20

/** Writes a table as code with aligned columns. */
export function tableMarkdown(block: unknown): string {
  return codeTable(listOf(fieldsOf(block).rows).map((row) => listOf(row).slice(0, maxColumns).map(cellText)))
}

function cellText(cell: unknown): string {
  const { type, text, value } = fieldsOf(cell)
  if (type === 'rich_text') return oneLine(plainText(richTextMarkdown(cell, asText), []))
  return oneLine(textOf(text) || textOf(value) || textOf(cell))
}
