import { fieldsOf, listOf, textOf, timeOf } from '../json-values.ts'
import { escapeInline, inlineCode, linkTo } from '../markdown.ts'
import { isBroadcast, type Mention } from './references.ts'
import { type Span, styledLine } from './styled-text.ts'

const marks = new Map([
  ['bold', '**'],
  ['italic', '_'],
  ['strike', '~~'],
])

/** Returns the lines of a section, a list item, a quote or a cell of rich text, as Markdown. */
export function richTextLines(section: unknown, mention: Mention): string[] {
  const lines: Span[][] = [[]]
  for (const element of listOf(fieldsOf(section).elements)) {
    const style = fieldsOf(fieldsOf(element).style)
    const own = new Set([...marks].filter(([name]) => style[name] === true).map(([, mark]) => mark))
    for (const [index, markdown] of elementLines(element, mention).entries()) {
      if (index > 0) lines.push([])
      lines.at(-1)?.push({ markdown, marks: own })
    }
  }
  return lines.map(styledLine)
}

/** Returns the text of rich text in which styles are not possible, such as code. */
export function richTextSource(section: unknown): string {
  return listOf(fieldsOf(section).elements).map(elementText).join('')
}

function elementLines(element: unknown, mention: Mention): string[] {
  const { type, url, range, style } = fieldsOf(element)
  if (type === 'broadcast' && isBroadcast(textOf(range))) return [mention(textOf(range))]
  const text = elementText(element)
  if (textOf(url)) return [linkTo(text, textOf(url))]
  const write = fieldsOf(style).code === true ? inlineCode : escapeInline
  return text.split(/\r\n?|\n/).map((line) => line && write(line))
}

const names = new Map([
  ['user', { sigil: '@', field: 'user_id' }],
  ['usergroup', { sigil: '@', field: 'usergroup_id' }],
  ['team', { sigil: '@', field: 'team_id' }],
  ['broadcast', { sigil: '@', field: 'range' }],
  ['channel', { sigil: '#', field: 'channel_id' }],
])

function elementText(element: unknown): string {
  const fields = fieldsOf(element)
  const type = textOf(fields.type)
  const name = names.get(type)
  if (name) return name.sigil + textOf(fields[name.field])
  if (type === 'emoji') return `:${textOf(fields.name)}:`
  if (type === 'date') return textOf(fields.fallback) || timeOf(fields.timestamp)
  return textOf(fields.text) || textOf(fields.value) || textOf(fields.url)
}
