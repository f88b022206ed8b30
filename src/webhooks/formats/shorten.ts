import { plainText } from '../../text/markdown/plain-text.ts'
import { plainMarkdown } from './markdown.ts'

// A longer line is cut. A shorter one is left out whole, with its markup.
const maxCharactersLeftOut = 1000

/** Cuts a text to `max` code points, the last of which is then an ellipsis. */
export function shorten(text: string, max: number): string {
  const start = firstCharacters(text, max)
  return start === text ? text : `${firstCharacters(text, max - 1)}…`
}

/** Cuts Markdown to `max` code points. A line that is cut loses its markup, because half of a code span is no code. */
export function shortenMarkdown(source: string, max: number): string {
  if (firstCharacters(source, max) === source) return source
  const start = firstCharacters(source, max - 2)
  const end = start.lastIndexOf('\n')
  const lines = start.slice(0, Math.max(0, end))
  const cut = start.slice(end + 1)
  if (openTicks(lines) > 0) return `${lines}\n${cut}…`
  if (lines && cut.length <= maxCharactersLeftOut) return `${lines}\n…`
  const plain = withoutLastBackslashes(firstCharacters(plainMarkdown(plainText(cut, [])), [...cut].length))
  return lines ? `${lines}\n${plain}…` : `${plain}…`
}

// Half of an escape would change what follows.
function withoutLastBackslashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '\\') end -= 1
  return text.slice(0, end)
}

function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  const characters = [...text.slice(0, 2 * count + 1)]
  return characters.length <= count ? text : characters.slice(0, count).join('')
}

/** Ends a code block that a text leaves open. */
export function closeCode(source: string): string {
  const open = openTicks(source)
  return open > 0 ? `${source}\n${'`'.repeat(open)}` : source
}

/** Returns the number of backticks of the code block that is open at the end, or 0. */
function openTicks(source: string): number {
  let open = 0
  for (const [, ticks = '', rest] of source.matchAll(/^(?:> )? *(`{3,})([^`\n]*)$/gm)) {
    if (open === 0) open = ticks.length
    else if (ticks.length >= open && !rest?.trim()) open = 0
  }
  return open
}
