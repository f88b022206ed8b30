import type { Tokens } from 'marked'

const fence = / {0,3}`{3,}[^`\n]*(?:\n|$)/.source
const quote = / {0,3}> /.source
const thematicBreak = / {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n|$)/.source
const itemText = /[ \t]+[^ \t\n]/.source
const itemOf = (mark: string) => `(?!${thematicBreak}) {0,3}(?:${mark})${itemText}`
const item = itemOf('[-*+]|\\d{1,9}\\.')
// In a paragraph, only the number 1 can start a numbered list, because a line may begin with a year (CommonMark 5.2).
const itemInParagraph = itemOf('[-*+]|1\\.')

export const startsFence = new RegExp(`^${fence}`)
const startsQuote = new RegExp(`^${quote}`)
const startsList = new RegExp(`^${item}`)
export const startsBlock = new RegExp(`^(?:${fence}|${quote}|${item})`)
const isThematicBreak = new RegExp(`^${thematicBreak}`)
const paragraph = new RegExp(
  `^[^\\n]+(?:\\n(?!${fence}|${quote}|${itemInParagraph}|[ \\t]*(?:\\n|$))[^\\n]+)*`,
)

export function readParagraph(source: string): Tokens.Paragraph {
  return textOnly(paragraph.exec(source)?.[0] ?? source)
}

export function textOnly(raw: string): Tokens.Paragraph {
  return { type: 'paragraph', raw, text: raw, tokens: [] }
}

/** Reads a quote (CommonMark 5.1). A space must follow the `>`. After the first line, a line can also be just `>`. */
export function readQuote(source: string): Tokens.Blockquote | undefined {
  if (!startsQuote.test(source)) return undefined
  const lines: string[] = []
  let open: OpenBlock = 'none'
  let taken = 0
  for (const { line, end } of linesOf(source)) {
    const quoted = /^ {0,3}>(?: |$)/.test(line)
    if (!quoted && !continuesParagraph(line, open)) break
    const text = quoted ? line.replace(/^ {0,3}> ?/, '') : line
    open = openAfter(open, text)
    lines.push(text)
    taken = end
  }
  return { type: 'blockquote', raw: source.slice(0, taken), text: lines.join('\n'), tokens: [] }
}

type Item = { mark: string; indent: number; lines: string[] }

/** Reads a list (CommonMark 5.2), but not `1)`. The first item needs text, so that a dash alone stays a dash. */
export function readList(source: string): Tokens.List | undefined {
  if (!startsList.test(source)) return undefined
  const { items, taken, loose } = readItems(source)
  const number = Number.parseInt(items[0]?.mark ?? '', 10)
  return {
    type: 'list',
    raw: source.slice(0, taken),
    ordered: !Number.isNaN(number),
    start: Number.isNaN(number) ? '' : number,
    loose,
    items: items.map(({ lines }) => {
      const text = lines.join('\n').trimEnd()
      return { type: 'list_item', raw: text, task: false, loose: false, text, tokens: [] }
    }),
  }
}

function readItems(source: string): { items: Item[]; taken: number; loose: boolean } {
  const items: Item[] = []
  let open: OpenBlock = 'none'
  let wasBlank = false
  let loose = false
  let taken = 0
  for (const { line: typed, end } of linesOf(source)) {
    const line = expandTabs(typed)
    const isBlank = !line.trim()
    const item = items.at(-1)
    const isInside = item && (isBlank || line.search(/[^ ]/) >= item.indent)
    const newItem = isInside ? undefined : startItem(line, item)
    if (newItem) {
      items.push(newItem)
      loose ||= wasBlank
      open = 'none'
    } else if (isInside) item.lines.push(line.slice(item.indent))
    else if (item && continuesParagraph(line, open)) item.lines.push(line)
    else break
    open = openAfter(open, items.at(-1)?.lines.at(-1) ?? '')
    wasBlank = isBlank && open === 'none'
    if (!isBlank) taken = end
  }
  return { items, taken, loose }
}

function startItem(line: string, previous: Item | undefined): Item | undefined {
  const marker = /^( {0,3})([-*+]|\d{1,9}\.)( +|$)/.exec(line)
  if (!marker || isThematicBreak.test(line)) return undefined
  const [all, margin = '', mark = '', gap = ''] = marker
  if (previous && previous.mark.at(-1) !== mark.at(-1)) return undefined
  const hasText = all.length < line.length
  const indent = margin.length + mark.length + (hasText && gap.length <= 4 ? gap.length : 1)
  return { mark, indent, lines: [line.slice(indent)] }
}

type OpenBlock = 'none' | 'paragraph' | number

// A line without a quote or item marker can continue a paragraph (CommonMark 5.1, laziness).
function continuesParagraph(line: string, open: OpenBlock): boolean {
  return open === 'paragraph' && line.trim() !== '' && !startsBlock.test(line)
}

function openAfter(open: OpenBlock, line: string): OpenBlock {
  if (typeof open === 'number')
    return /^ *(`{3,}) *$/.test(line) && line.trim().length >= open ? 'none' : open
  const text = line.replace(/^(?: {0,3}(?:> |(?:[-*+]|\d{1,9}\.) +))+/, '') // the line may start quotes and lists
  const ticks = /^ {0,3}(`{3,})[^`]*$/.exec(text)?.[1]
  return ticks?.length ?? (text.trim() ? 'paragraph' : 'none')
}

function* linesOf(source: string): Generator<{ line: string; end: number }> {
  for (let start = 0; start < source.length; ) {
    const newline = source.indexOf('\n', start)
    const end = newline === -1 ? source.length : newline
    yield { line: source.slice(start, end), end }
    start = end + 1
  }
}

// Expands tabs before and after a list marker to the next column that is a multiple of 4 (CommonMark 2.2).
function expandTabs(line: string): string {
  return line.replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}\.)[ \t]+)?/, (lead) => {
    let expanded = ''
    for (const character of lead)
      expanded += character === '\t' ? ' '.repeat(4 - (expanded.length % 4)) : character
    return expanded
  })
}
