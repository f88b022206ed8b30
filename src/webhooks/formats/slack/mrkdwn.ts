import { codeBlock, escapeBlockStart, quote } from '../markdown.ts'
import { codeText, mrkdwnLine, unstyledLine } from './mrkdwn-line.ts'
import type { Mention } from './references.ts'

type Section = { kind: 'text' | 'list' | 'quote'; lines: string[] }

const bullet = /^([ \t]*)[-*•◦▪‣][ \t]+(?=\S)/
const quoteMark = /^(?:>|&gt;) ?/
const quoteOfTheRest = /^(?:>|&gt;){3} ?/
const maxIndents = 8
const maxCharacters = 100_000 // Slack refuses texts of more than 40,000

/** Converts Slack's mrkdwn to Markdown, in linear time. */
export function mrkdwnMarkdown(source: string, mention: Mention): string {
  const parts = source
    .slice(0, maxCharacters)
    .replace(/\r\n?/g, '\n')
    .split(/```\n?([\s\S]*?)\n?```/)
  return parts
    .map((part, index) => ({ part, isCode: index % 2 === 1 }))
    .filter(({ part }) => part.trim() !== '')
    .map(({ part, isCode }) => (isCode ? codeBlock(codeText(part)) : writeProse(part.split('\n'), mention)))
    .join('\n\n')
}

/** Converts a text in which Slack reads references, but no styles. */
export function unstyledMarkdown(source: string, mention: Mention): string {
  const lines = source.split(/\r\n?|\n/)
  return lines.map((line) => escapeBlockStart(unstyledLine(line, mention))).join('\n')
}

function writeProse(lines: readonly string[], mention: Mention, isQuoted = false): string {
  const rest = isQuoted ? -1 : lines.findIndex((line) => quoteOfTheRest.test(line))
  if (rest !== -1) {
    const quoted = [lines[rest]?.replace(quoteOfTheRest, '') ?? '', ...lines.slice(rest + 1)]
    const start = writeProse(lines.slice(0, rest), mention)
    return `${start}\n\n${quote(writeProse(quoted, mention, true))}`.trim()
  }
  let markdown = ''
  for (const { kind, lines: own } of sectionsOf(lines, isQuoted)) {
    if (kind === 'list') markdown += `${writeList(own, mention)}\n\n`
    else if (kind === 'quote') markdown += `${quote(writeProse(own, mention, true))}\n\n`
    else markdown += `${own.map((line) => escapeBlockStart(mrkdwnLine(line, mention))).join('\n')}\n`
  }
  return markdown.trim()
}

function sectionsOf(lines: readonly string[], isQuoted: boolean): Section[] {
  const sections: Section[] = []
  for (const line of lines) {
    const last = sections.at(-1)
    const kind = kindOf(line, last?.kind, isQuoted)
    const own = kind === 'quote' ? line.replace(quoteMark, '') : line
    if (last?.kind === kind) last.lines.push(own)
    else sections.push({ kind, lines: [own] })
  }
  return sections
}

function kindOf(line: string, previous: Section['kind'] | undefined, isQuoted: boolean): Section['kind'] {
  if (!isQuoted && quoteMark.test(line)) return 'quote'
  const continues = previous === 'list' && /^[ \t]+\S/.test(line)
  return continues || bullet.test(line) ? 'list' : 'text'
}

function writeList(lines: readonly string[], mention: Mention): string {
  const indents: number[] = []
  const written = lines.map((line) => {
    const [mark, margin] = bullet.exec(line) ?? ['']
    if (margin !== undefined) nest(indents, margin.replaceAll('\t', '    ').length)
    const depth = Math.min(indents.length, maxIndents)
    const text = escapeBlockStart(mrkdwnLine(line.slice(mark.length).trimStart(), mention))
    return margin === undefined ? '  '.repeat(depth) + text : `${'  '.repeat(depth - 1)}- ${text}`
  })
  return written.join('\n')
}

function nest(indents: number[], indent: number): void {
  while (indents.length > 1 && indent < (indents.at(-1) ?? 0)) indents.pop()
  if (indents.length === 0 || indent > (indents.at(-1) ?? 0)) indents.push(indent)
}
