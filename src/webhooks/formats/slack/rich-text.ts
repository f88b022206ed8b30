import { fieldsOf, listOf } from '../json-values.ts'
import { codeBlock, escapeBlockStart, quote } from '../markdown.ts'
import type { Mention } from './references.ts'
import { richTextLines, richTextSource } from './rich-text-line.ts'

const maxIndent = 7
const maxNumber = 99_999_999 // Markdown reads at most nine digits

/** Converts a `rich_text` block. Its text has no markup, because its elements have types and styles. */
export function richTextMarkdown(block: unknown, mention: Mention): string {
  return groupLists(listOf(fieldsOf(block).elements))
    .map((group) => (isList(group[0]) ? writeLists(group, mention) : writeElement(group[0], mention)))
    .filter((markdown) => markdown.trim() !== '')
    .join('\n\n')
}

function isList(element: unknown): boolean {
  return fieldsOf(element).type === 'rich_text_list'
}

// A nested list is an element of its own in Slack. In Markdown it belongs to the list before it.
function groupLists(elements: readonly unknown[]): unknown[][] {
  const groups: unknown[][] = []
  for (const element of elements) {
    const last = groups.at(-1)
    if (last && isList(last[0]) && isList(element)) last.push(element)
    else groups.push([element])
  }
  return groups
}

function writeElement(element: unknown, mention: Mention): string {
  const { type, elements } = fieldsOf(element)
  if (type === 'rich_text_preformatted') {
    const code = richTextSource(element).replace(/\n$/, '')
    return code && codeBlock(code)
  }
  const lines = richTextLines(Array.isArray(elements) ? element : { elements: [element] }, mention)
  const markdown = lines.map(escapeBlockStart).join('\n').trim()
  return type === 'rich_text_quote' ? quote(markdown) : markdown
}

function writeLists(lists: readonly unknown[], mention: Mention): string {
  const margins: string[] = []
  return lists.flatMap((list) => writeList(list, margins, mention)).join('\n')
}

/** Returns the lines of a list. `margins` has the width of the marker of each list that is open. */
function writeList(list: unknown, margins: string[], mention: Mention): string[] {
  const { style, indent, offset, elements } = fieldsOf(list)
  margins.length = Math.min(countOf(indent), maxIndent, margins.length)
  const margin = margins.join('')
  let number = Math.min(countOf(offset), maxNumber)
  let width = ''
  const lines = listOf(elements).flatMap((item) => {
    const [first = '', ...others] = itemLines(item, mention)
    if (!first) return []
    number += 1
    const mark = style === 'ordered' ? `${number}. ` : '- '
    width = ' '.repeat(mark.length)
    return [margin + mark + first, ...others.map((line) => margin + width + line)]
  })
  if (width) margins.push(width)
  return lines
}

function itemLines(item: unknown, mention: Mention): string[] {
  return richTextLines(item, mention)
    .map(escapeBlockStart)
    .filter((line) => line.trim() !== '')
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0
}
