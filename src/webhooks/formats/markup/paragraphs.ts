import type { Tokens } from 'marked'
import { startsBlock } from '../../../text/markdown/blocks.ts'

const heading = / {0,3}#{1,6}(?:[ \t]|$)/.source
const thematicBreak = / {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.source
const interrupts = new RegExp(`^(?:[ \\t]*$|${heading}|${thematicBreak}| {0,3}~{3}| {0,3}<!--)`)
const underline = /^ {0,3}(=+|-+)[ \t]*$/
const delimiters = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

// Marked searches the rest of the text for a table at each line, which takes quadratic time.

/** Reads a paragraph, or a heading that is underlined. */
export function readParagraph(source: string): Tokens.Paragraph | Tokens.Heading {
  let end = lineEnd(source, 0)
  while (end < source.length) {
    const next = lineEnd(source, end + 1)
    const line = source.slice(end + 1, next)
    const [, mark] = underline.exec(line) ?? []
    if (mark) {
      const text = source.slice(0, end).trim()
      return {
        type: 'heading',
        raw: source.slice(0, next),
        text,
        depth: mark.startsWith('=') ? 1 : 2,
        tokens: [],
      }
    }
    if (interrupts.test(line) || startsBlock.test(line) || startsTable(source, end + 1)) break
    end = next
  }
  const raw = source.slice(0, end)
  return { type: 'paragraph', raw, text: raw, tokens: [] }
}

/** Returns whether a line of cells and a line of delimiters with the same number of columns begin at `at`. */
export function startsTable(source: string, at = 0): boolean {
  const end = lineEnd(source, at)
  if (end >= source.length) return false
  const second = source.slice(end + 1, lineEnd(source, end + 1))
  if (!second.includes('-') || !delimiters.test(second)) return false
  const first = source.slice(at, end)
  return (first + second).includes('|') && columnsOf(first) === columnsOf(second)
}

// Counts like Marked, which does not count an empty cell at an end.
function columnsOf(line: string): number {
  const cells = line.replace(/\\./g, 'xx').split('|')
  if (!cells[0]?.trim()) cells.shift()
  if (cells.length > 0 && !cells.at(-1)?.trim()) cells.pop()
  return cells.length
}

function lineEnd(source: string, start: number): number {
  const end = source.indexOf('\n', start)
  return end === -1 ? source.length : end
}
