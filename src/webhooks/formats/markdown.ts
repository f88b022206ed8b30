import { isBlank } from '../../text/blank.ts'
import { isSafeURL } from '../../text/markdown/links.ts'

/** A bare URL. The Markdown reader also takes its underscores as text. */
export const address = /https?:\/\/[^\s<>"'`()[\]*~\\]*[^\s<>"'`()[\]*~\\_.,:;!?]/.source
// A backslash or a `<` at the end is special, because other text can follow. Most underscores are inside of words.
const special = [
  /\\(?=[!-/:-@[-`{-~]|\s*$)/.source,
  /[*`]/.source,
  /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u.source,
  /~(?=~)|(?<=~)~/.source,
  /\](?=\()/.source,
  /<(?=[A-Za-z]|$)/.source,
].join('|')
const inText = new RegExp(`${address}|${special}`, 'gu')
const inLabel = new RegExp(`${address}|${special}|[[\\]]`, 'gu')
// What is special only together with the text beside it, such as half of `~~`, of a picture, of a link or of `1.`.
const anywhere = new RegExp(`${address}|${special}|[[\\]()~\\\\]|!$|^\\.`, 'gu')
const blockStart = /^(?:[>+-](?=\s|$)|\d{1,9}(?=\.(?:\s|$)))/
const maxURLCharacters = 8000 // the Markdown reader does not read longer ones

/** Escapes what Markdown reads as markup inside a line. */
export function escapeInline(text: string): string {
  return /[\\*`_~\]<]/.test(text) ? escapeAll(text, inText) : text
}

function escapeAll(text: string, rule: RegExp): string {
  return text.replace(rule, (found) => (found.length > 1 ? found : `\\${found}`))
}

/** Returns Markdown that shows a text as it is, whatever other Markdown stands beside it. */
export function plainMarkdownAnywhere(text: string): string {
  const lines = text.split(/\r\n?|\n/).map((line) => {
    const start = /^\s*/.exec(line)?.[0] ?? ''
    return start + escapeBlockStart(escapeAll(line.slice(start.length), anywhere))
  })
  return lines.join('\n')
}

/** Escapes the start of a line of Markdown that would begin a quote or a list. */
export function escapeBlockStart(line: string): string {
  return line.trimStart().replace(blockStart, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
}

/** Returns Markdown that shows a text as it is. */
export function plainMarkdown(text: string): string {
  const lines = text.split(/\r\n?|\n/)
  return lines.map((line) => escapeBlockStart(escapeInline(line))).join('\n')
}

/** Returns a link. A URL that Markdown does not link, such as a mention, is shown after the label. */
export function linkTo(label: string, url: string): string {
  const shown = isBlank(label) ? url : oneLine(label)
  if (canLink(url)) return `[${escapeAll(shown, inLabel)}](${url.replace(/[\\()]/g, '\\$&')})`
  return escapeInline(oneLine(shown === url ? url : `${shown} (${url})`))
}

export function canLink(url: string): boolean {
  return url.length <= maxURLCharacters && isSafeURL(url)
}

/** Joins parts of a line, so that no two of them together become an image, a link or one piece of code. */
export function joinInline(parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '')
  for (const [index, part] of joined.entries()) {
    const before = joined[index - 1] ?? ''
    if (before.endsWith('!') && part.startsWith('[')) joined[index - 1] = `${before.slice(0, -1)}\\!`
    if (before.endsWith(']') && part.startsWith('(')) joined[index] = `\\${part}`
    if (/(?<!\\)`$/.test(before) && part.startsWith('`')) joined[index] = ` ${part}`
  }
  return joined.join('')
}

export function bold(line: string): string {
  return line && `**${line}**`
}

export function italic(line: string): string {
  return line && `_${line}_`
}

/** Joins blocks with an empty line between them. Leaves out blocks that are empty. */
export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n')
}

/** Joins parts that are one line each. A part with several lines, a quote or a list becomes a block of its own. */
export function joinLines(parts: readonly string[], separator = '\n'): string {
  const blocks: string[] = []
  let line: string[] = []
  for (const part of parts.filter((text) => text !== '')) {
    if (isBlock(part)) {
      blocks.push(line.join(separator), part)
      line = []
    } else line.push(part)
  }
  return joinBlocks([...blocks, line.join(separator)])
}

/** Returns whether Markdown has several lines, or is a quote, a list or code. */
export function isBlock(markdown: string): boolean {
  return /\n|^(?:> |- |\d+\. |`{3})/.test(markdown)
}

export function oneLine(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim()
}

export function inlineCode(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1)
  // Markdown removes a space at both ends, unless the code has only spaces.
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== ''
  const padding = isPadded || text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return ticks + padding + text + padding + ticks
}

export function codeBlock(text: string, language = ''): string {
  const ticks = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return `${ticks}${language}\n${text}\n${ticks}`
}

export function quote(markdown: string): string {
  return markdown && `> ${markdown.replaceAll('\n', '\n> ')}`
}

function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
}
