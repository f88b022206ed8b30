import { address, escapeInline, inlineCode, joinInline } from '../markdown.ts'
import { decodeEntities, type Mention, referenceMarkdown, referenceText } from './references.ts'

const token = /<[^<>]*>|`[^`]+`|\*+|_+|~+|[^<`*_~]+|[<`]/g
const tokenOrAddress = new RegExp(`${token.source.replace('*_~]+', '*_~h]+')}|${address}|h`, 'g')
const styles = new Map([
  ['*', '**'],
  ['**', '**'],
  ['_', '_'],
  ['~', '~~'],
  ['~~', '~~'],
])

/** Converts a line of Slack's mrkdwn. Two asterisks mean bold too, because many senders write Markdown. */
export function mrkdwnLine(line: string, mention: Mention): string {
  if (!/[<`*_~]/.test(line)) return literal(line)
  // A mark in an address is none.
  const tokens = [...line.matchAll(line.includes('://') ? tokenOrAddress : token)]
  const marks = pairedMarks(line, tokens)
  const parts: string[] = []
  let text = ''
  for (const [index, { 0: source }] of tokens.entries()) {
    const markup = marks.get(index) ?? convert(source, mention)
    if (markup === undefined) text += source
    else {
      parts.push(literal(text), markup)
      text = ''
    }
  }
  return joinInline([...parts, literal(text)])
}

/** Converts a line in which Slack reads references, but no styles. */
export function unstyledLine(line: string, mention: Mention): string {
  if (!line.includes('<')) return literal(line)
  const parts = line.match(/<[^<>]*>|[^<]+|</g) ?? []
  return joinInline(parts.map((part) => convertReference(part, mention) ?? literal(part)))
}

/** Returns the text of code, in which references become plain text. */
export function codeText(source: string): string {
  return decodeEntities(source.replace(/<([^<>]*)>/g, (all, inside: string) => referenceText(inside) ?? all))
}

function literal(source: string): string {
  return escapeInline(decodeEntities(source))
}

function convert(source: string, mention: Mention): string | undefined {
  const isCode = source.startsWith('`') && source.length > 1
  return isCode ? inlineCode(codeText(source.slice(1, -1))) : convertReference(source, mention)
}

function convertReference(source: string, mention: Mention): string | undefined {
  return source.startsWith('<') ? referenceMarkdown(source.slice(1, -1), mention) : undefined
}

type Opener = { mark: string; index: number }

// A closing mark belongs to the last opening one. Openers between the two stay text. So the time is linear.
function pairedMarks(line: string, tokens: readonly RegExpExecArray[]): Map<number, string> {
  const paired = new Map<number, string>()
  const openers: Opener[] = []
  const open = new Map<string, number>()
  for (const [index, { 0: mark, index: at }] of tokens.entries()) {
    const style = styles.get(mark)
    if (style === undefined) continue
    const before = [...line.slice(Math.max(0, at - 2), at)].at(-1) ?? ' '
    const after = [...line.slice(at + mark.length, at + mark.length + 2)][0] ?? ' '
    if (open.get(mark) && canEnd(after, before)) {
      paired.set(takeOpener(openers, open, mark), style).set(index, style)
    } else if (canEnd(before, after)) {
      openers.push({ mark, index })
      open.set(mark, (open.get(mark) ?? 0) + 1)
    }
  }
  return paired
}

// Slack reads a mark only at the edge of a word.
function canEnd(outer: string, inner: string): boolean {
  return /[\s\p{P}\p{S}]/u.test(outer) && !/\s/.test(inner)
}

function takeOpener(openers: Opener[], open: Map<string, number>, mark: string): number {
  for (let opener = openers.pop(); opener; opener = openers.pop()) {
    open.set(opener.mark, (open.get(opener.mark) ?? 0) - 1)
    if (opener.mark === mark) return opener.index
  }
  return -1
}
