import { mentionMarkdown, mentionPattern } from '../../text/mention-markdown.ts'
import { type FieldText, mentionText, plain, replaceParts } from './field-text.ts'

// The groups are the beginning of the fence, and the backticks of the span. The lookahead takes all of them.
const fence = /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*(?:\n(?! {0,3}\1[`~]*[ \t]*$)[^\n]*)*(?:\n[^\n]*)?/
  .source
const span = '(?=(`+))\\2(?:(?!\\n[ \\t]*\\n)[\\s\\S])*?[^`]\\2(?!`)'
const mostMarks = 100
const codeOrEscape = new RegExp(`${fence}|\\\\[\\s\\S]|${span}|\`+`, 'gm')

/** Returns where the code of a Markdown text is: its blocks, and what is between backticks. */
function codeIn(markdown: string): { start: number; end: number }[] {
  return [...markdown.matchAll(codeOrEscape)]
    .filter(([, fenced, ticks]) => fenced !== undefined || ticks !== undefined)
    .map(({ 0: code, index }) => ({ start: index, end: index + code.length }))
}

/** Returns what a field shows for a Markdown text. `names` has the present names of users and groups. */
export function readMarkdown(markdown: string, names?: ReadonlyMap<string, string>): FieldText {
  const text = markdown.replace(/\r\n?/g, '\n')
  if (!text.includes('](')) return plain(text)
  const code = codeIn(text)
  const changes = [...text.matchAll(mentionPattern)].flatMap(({ 0: found, 1: label = '', 2: id, index }) => {
    const isText = code.some(({ start, end }) => start <= index && index < end) || isMarked(text, index)
    if (id === undefined || isText) return []
    const name = names?.get(id) ?? label.replace(/\\([!-/:-@[-`{-~])/g, '$1')
    // An exclamation mark before a mention is escaped, because it would make the mention an image.
    const start = text.startsWith('\\!', index - 2) ? index - 2 : index
    const before = text.slice(start, index).replace('\\', '')
    const shown = mentionText({ id, name })
    const part = replaceParts(shown, [{ start: 0, end: 0, part: plain(before) }])
    return { start, end: index + found.length, part }
  })
  return replaceParts(plain(text), changes)
}

/** Returns the Markdown of what a field shows. A mention in code becomes text, because Markdown has no markup in code. */
export function writeMarkdown(shown: FieldText): string {
  const changes = shownMentions(shown).map(({ id, start, end }) => {
    const markdown = mentionMarkdown({ id, name: shown.text.slice(start + 1, end) })
    const slash = isMarked(shown.text, start) ? '\\' : ''
    const last = slash && shown.text.charAt(start - 1)
    return { start: start - last.length, end, part: plain(slash + last + markdown) }
  })
  return replaceParts(plain(shown.text), changes).text
}

/** Returns the mentions that are not in code. */
export function shownMentions({ text, mentions }: FieldText): FieldText['mentions'] {
  if (mentions.length === 0) return mentions
  const code = codeIn(text)
  return mentions.filter((one) => !code.some(({ start, end }) => start < one.end && one.start < end))
}

/** Returns whether the position is in code, also if the end of the code is not typed yet. */
export function isInCode(text: string, at: number): boolean {
  const before = text.slice(0, at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0
  const ticks = line.match(/`+/g)?.length ?? 0
  return fences % 2 === 1 || ticks % 2 === 1
}

/** Returns whether the character before the position makes a bracket at the position text, or the beginning of an image. */
function isMarked(text: string, at: number): boolean {
  const [marks = ''] = /\\*!?$/.exec(text.slice(Math.max(0, at - mostMarks), at)) ?? []
  return marks.length % 2 === 1
}
