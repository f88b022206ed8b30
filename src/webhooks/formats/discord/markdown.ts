import { plainText } from '../../../text/markdown/plain-text.ts'
import { timeOf } from '../json-values.ts'
import { bold, codeBlock, escapeInline, joinBlocks, oneLine, quote } from '../markdown.ts'

const maxCharacters = 100_000 // Discord refuses texts of more than 6,000
const code = /`{3,}[\s\S]*?`{3,}|`[^`\n]+`/
const codeOrText = new RegExp(`(${code.source})`)
const codeOrQuoteOfTheRest = new RegExp(`${code.source}|^>>> `, 'gm')
const reference =
  /\\[\s\S]|<t:(-?\d{1,13})(?::[A-Za-z])?>|<(@|#)[!&]?(\d{1,20})>|<a?(:\w{1,32}:)\d{1,20}>|<(\/[\w -]{1,100}):\d{1,20}>|<(https?:\/\/[^\s<>]+)>|`{3,}/g
// A link to anything else, such as a mention, is text.
const otherLink = /\]\((?![ \t\n]*<?(?:https?|mailto):)/gi

/** Converts Discord's Markdown, which has nearly the same styles, in linear time. */
export function discordMarkdown(source: string): string {
  const text = source.slice(0, maxCharacters).replace(/\r\n?/g, '\n')
  const start = [...text.matchAll(codeOrQuoteOfTheRest)].find(([found]) => found === '>>> ')
  if (!start) return converted(text)
  const rest = converted(text.slice(start.index + start[0].length))
  return joinBlocks([converted(text.slice(0, start.index)), quote(rest)])
}

/** Returns the text of a line without its styles. */
export function discordText(source: string): string {
  return oneLine(plainText(discordMarkdown(source), []))
}

function converted(text: string): string {
  const parts = text.split(codeOrText)
  const marks = parts.reduce((count, part, index) => count + (index % 2 === 0 ? spoilerMarks(part) : 0), 0)
  let left = marks - (marks % 2)
  const written = parts.map((part, index) => {
    if (index % 2 === 1) return part.startsWith('```') ? `\n${fenced(part)}\n` : part
    // A spoiler is shown. A mark without a partner is text.
    const shown = part.replace(/\|\|/g, (mark) => {
      left -= 1
      return left >= 0 ? '' : mark
    })
    return shown.replace(reference, (...found) => referenceText(found)).replace(otherLink, ']\\(')
  })
  return blocksOf(written.join('')).trim()
}

function spoilerMarks(text: string): number {
  return text.match(/\|\|/g)?.length ?? 0
}

function referenceText(found: readonly unknown[]): string {
  const [all = '', seconds, sigil, id, emoji, command, url] = found as readonly (string | undefined)[]
  if (seconds) return timeOf(seconds) || escapeInline(all)
  if (sigil) return sigil + (id ?? '')
  if (all.startsWith('`')) return all.replaceAll('`', '\\`') // code that does not end
  return escapeInline(emoji ?? command ?? '') || url || all
}

function fenced(part: string): string {
  const inside = part.replace(/^`{3,}|`{3,}$/g, '')
  const [, language = ''] = /^([\w+#-]{1,30})\n/.exec(inside) ?? []
  return codeBlock(inside.slice(language.length).replace(/^\n|\n$/g, ''), language)
}

// Code is not changed, although one of its lines may begin like a heading or a quote.
function blocksOf(markdown: string): string {
  const lines = markdown.split('\n')
  const written: string[] = []
  let fence = ''
  for (const [index, line] of lines.entries()) {
    const [, ticks = ''] = /^(`{3,})[^`]*$/.exec(line) ?? []
    if (fence) {
      written.push(line)
      if (line === fence) fence = ''
    } else {
      fence = ticks
      written.push(ticks ? line : convertedLine(line))
      // A line after a quote would continue it.
      if (line.startsWith('> ') && /^(?!> )./.test(lines[index + 1] ?? '')) written.push('')
    }
  }
  return written.join('\n')
}

function convertedLine(line: string): string {
  const [, heading] = /^#{1,3} +(\S.*)$/.exec(line) ?? []
  return heading ? bold(heading.replaceAll('**', '').trimEnd()) : line.replace(/^-# +/, '')
}
