import { Marked, type MarkedToken, type Token, type Tokens } from 'marked'

// Marked drives the reading of blocks and writes their HTML. Quotes, lists and what stands inside a line are read
// here, in linear time: Marked's own reading is quadratic, and some 40,000 characters keep it busy for 15 seconds.

/** Deeper nesting is text, so that no stack overflows, here or at a client. */
const maxNesting = 20

/** RFC 9110 4.1 asks for support of 8,000 octets at least. */
const maxURLCharacters = 8000

/**
 * Renders the markdown of a message as HTML that is safe to embed. It is the part of CommonMark 0.31 that messages
 * have, and the strikethrough of GFM; all else (headings, images, HTML, bare links ...) is text, as typed.
 * `scheme` is the one of mentions; `names` has the present name of whoever may be shown, by ID. Never throws.
 */
export function renderMarkdown(
  source: string,
  options: { scheme: string; names: ReadonlyMap<string, string> },
): string {
  try {
    const inline = (text: string) => writePieces(readInline(text, options.scheme), options.names)
    return marked.parser(readBlocks(source, inline)).trimEnd()
  } catch {
    // A regular expression may run out of stack, at some millions of characters. As text it can still be read.
    return `<p>${escapeText(source)}</p>`
  }
}

/** The IDs mentioned in the source, outside of code: each once, in order. Never throws. */
export function mentionedIDs(source: string, scheme: string): string[] {
  const ids = new Set<string>()
  const inline = (text: string) => {
    for (const piece of readInline(text, scheme)) if (piece.kind === 'mention') ids.add(piece.id)
    return ''
  }
  try {
    readBlocks(source, inline)
  } catch {
    return [] // as it is rendered: all of it is text
  }
  return [...ids]
}

// Blocks (CommonMark 4 and 5)

const fence = / {0,3}`{3,}[^`\n]*(?:\n|$)/.source
const quote = / {0,3}> /.source
const thematicBreak = / {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n|$)/.source
const itemText = /[ \t]+[^ \t\n]/.source
const itemOf = (mark: string) => `(?!${thematicBreak}) {0,3}(?:${mark})${itemText}`
const item = itemOf('[-*+]|\\d{1,9}\\.')
// A line of a paragraph may well begin with a year (5.2).
const itemInParagraph = itemOf('[-*+]|1\\.')

const startsFence = new RegExp(`^${fence}`)
const startsQuote = new RegExp(`^${quote}`)
const startsList = new RegExp(`^${item}`)
const startsBlock = new RegExp(`^(?:${fence}|${quote}|${item})`)
const isThematicBreak = new RegExp(`^${thematicBreak}`)
const paragraph = new RegExp(
  `^[^\\n]+(?:\\n(?!${fence}|${quote}|${itemInParagraph}|[ \\t]*(?:\\n|$))[^\\n]+)*`,
)

const unsupported = () => undefined

const marked = new Marked({
  tokenizer: {
    code: unsupported,
    heading: unsupported,
    hr: unsupported,
    html: unsupported,
    def: unsupported,
    table: unsupported,
    lheading: unsupported,
    fences: (source) => (startsFence.test(source) ? false : undefined), // false: as Marked does
    blockquote: readQuote,
    list: readList,
    paragraph: readParagraph,
  },
  extensions: [{ name: 'inline', renderer: (token) => token.text }],
  renderer: { code: writeCode },
})

type Inline = (text: string) => string

/** The blocks of a source and those in them; `inline` makes the HTML of each paragraph. */
function readBlocks(source: string, inline: Inline, depth = 0): Token[] {
  const blocks = depth >= maxNesting ? [textOnly(source)] : marked.lexer(source)
  // Only the tokens above come out of the lexer, and of Marked's own `code` and `space`.
  for (const block of blocks as MarkedToken[]) {
    if (block.type === 'paragraph')
      block.tokens = [{ type: 'inline', raw: block.raw, text: inline(block.text) }]
    if (block.type === 'blockquote') block.tokens = readBlocks(block.text, inline, depth + 1)
    if (block.type === 'list') readItemBlocks(block, inline, depth + 1)
  }
  return blocks
}

/** A list is loose, with paragraphs in its items, if a blank line is between its items or their blocks (5.3). */
function readItemBlocks(list: Tokens.List, inline: Inline, depth: number): void {
  for (const item of list.items) {
    item.tokens = readBlocks(item.text, inline, depth)
    list.loose ||= item.tokens.some(({ type }, index) => type === 'space' && index > 0)
  }
  if (list.loose) return
  for (const item of list.items) {
    item.tokens = item.tokens.map((block) =>
      block.type === 'paragraph' ? { ...block, type: 'text' } : block,
    )
  }
}

function readParagraph(source: string): Tokens.Paragraph {
  return textOnly(paragraph.exec(source)?.[0] ?? source)
}

function textOnly(raw: string): Tokens.Paragraph {
  return { type: 'paragraph', raw, text: raw, tokens: [] }
}

/** CommonMark 5.1, but a `>` needs its space, or the end of the line inside a quote. */
function readQuote(source: string): Tokens.Blockquote | undefined {
  if (!startsQuote.test(source)) return undefined
  const lines: string[] = []
  let open: OpenBlock = 'none'
  let taken = 0
  for (const { line, end } of linesOf(source)) {
    const quoted = /^ {0,3}>(?: |$)/.test(line)
    if (!quoted && !isLazy(line, open)) break
    const text = quoted ? line.replace(/^ {0,3}> ?/, '') : line
    open = openAfter(open, text)
    lines.push(text)
    taken = end
  }
  return { type: 'blockquote', raw: source.slice(0, taken), text: lines.join('\n'), tokens: [] }
}

type Item = { mark: string; indent: number; lines: string[] }

/** CommonMark 5.2, without `1)`. The first item needs text, so that a dash alone is a dash. */
function readList(source: string): Tokens.List | undefined {
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
    const next = isInside ? undefined : startItem(line, item)
    if (next) {
      items.push(next)
      loose ||= wasBlank
      open = 'none'
    } else if (isInside) item.lines.push(line.slice(item.indent))
    else if (item && isLazy(line, open)) item.lines.push(line)
    else break
    open = openAfter(open, items.at(-1)?.lines.at(-1) ?? '')
    wasBlank = isBlank && open === 'none'
    if (!isBlank) taken = end
  }
  return { items, taken, loose }
}

/** The item that the line starts, in the list of the previous one if there is one. */
function startItem(line: string, previous: Item | undefined): Item | undefined {
  const marker = /^( {0,3})([-*+]|\d{1,9}\.)( +|$)/.exec(line)
  if (!marker || isThematicBreak.test(line)) return undefined
  const [all, margin = '', mark = '', gap = ''] = marker
  if (previous && previous.mark.at(-1) !== mark.at(-1)) return undefined
  const hasText = all.length < line.length
  const indent = margin.length + mark.length + (hasText && gap.length <= 4 ? gap.length : 1)
  return { mark, indent, lines: [line.slice(indent)] }
}

/** What a line leaves open: a paragraph, or a fenced code block of so many backticks. */
type OpenBlock = 'none' | 'paragraph' | number

/** Whether a line without the marker of its quote or item continues the paragraph there (CommonMark 5.1, laziness). */
function isLazy(line: string, open: OpenBlock): boolean {
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

/** Tabs before and after a list marker reach to the next column that 4 divides (CommonMark 2.2). */
function expandTabs(line: string): string {
  return line.replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}\.)[ \t]+)?/, (lead) => {
    let expanded = ''
    for (const character of lead)
      expanded += character === '\t' ? ' '.repeat(4 - (expanded.length % 4)) : character
    return expanded
  })
}

function writeCode({ text, lang = '' }: Tokens.Code): string {
  const language = lang.split(/\s/, 1)[0]
  const attribute = language ? ` class="language-${escapeHTML(language)}"` : ''
  return `<pre><code${attribute}>${escapeHTML(text && `${text.replace(/\n$/, '')}\n`)}</code></pre>\n`
}

// What stands inside a line (CommonMark 6, and its appendix, A parsing strategy)

type Tag = { kind: 'open' | 'close'; html: string; source: string }
type Mention = { kind: 'mention'; id: string; label: string }
type Part = Tag | Mention | { kind: 'text' | 'code'; text: string }

/** A run of `*`, `_` or `~`. What it closes stands before what is `left` of it, and what it opens after. */
type Run = {
  kind: 'run'
  mark: string
  at: number
  length: number
  left: number
  opens: boolean
  closes: boolean
  closing: Tag[]
  opening: Tag[]
}
type Piece = Part | Run

/** A `[` or `![`, and how much there was before it. */
type Bracket = { at: number; isImage: boolean; pieces: number; runs: number }

const escaped = /\\([!-/:-@[-`{-~])/g // CommonMark 2.4
const bareLink = /https?:\/\/[^\s<>"'`()[\]*~\\]*[^\s<>"'`()[\]*~\\_.,:;!?]/.source // for the underscores in it
const autolink = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>/.source
const plain = /[^\\`*_~![\]<][^\\`*_~![\]<h]*/.source // to the next h at most: a bare link may start there
const inlineToken = new RegExp(
  `${escaped.source}|\\\\\\n|\`+|\\*+|_+|~+|!?\\[|\\]|${bareLink}|${autolink}|${plain}|[\\s\\S]`,
  'y',
)

const urlText = /\\[^ \t\n]|[^ \t\n\\()]/.source
const urlParentheses = `(?:${urlText}|\\((?:${urlText}|\\((?:${urlText})*\\))*\\))`
const linkURL = `<((?:\\\\.|[^\\\\<>\\n])*)>|((?!<)${urlParentheses}{1,${maxURLCharacters}})|(?=\\))`
const linkTitle = /"(?:\\[\s\S]|[^\\"])*"|'(?:\\[\s\S]|[^\\'])*'|\((?:\\[\s\S]|[^\\()])*\)/.source
const linkEnd = new RegExp(`\\]\\([ \\t\\n]*(?:${linkURL})(?:[ \\t\\n]+(?:${linkTitle}))?[ \\t\\n]*\\)`, 'y')

function readInline(text: string, scheme: string): Piece[] {
  const lines = text.split('\n').map((line) => line.trim())
  return new InlineReader(lines.join('\n'), scheme).read()
}

/** Reads from left to right; what a `[` or a run means is known only later. */
class InlineReader {
  readonly #source: string
  readonly #scheme: string
  readonly #lastTicks = new Map<number, number>() // by their number, where the last such run of backticks is
  readonly #pieces: Piece[] = []
  readonly #runs: Run[] = []
  readonly #brackets: Bracket[] = []
  #lastLink = -1
  #at = 0

  constructor(source: string, scheme: string) {
    this.#source = source
    this.#scheme = scheme
    for (const { 0: ticks, index } of source.matchAll(/`+/g)) this.#lastTicks.set(ticks.length, index)
  }

  read(): Piece[] {
    while (this.#at < this.#source.length)
      this.#readToken(matchAt(inlineToken, this.#source, this.#at)?.[0] ?? '')
    pairRuns(this.#runs)
    return this.#pieces
  }

  #readToken(token: string): void {
    if (token === ']') this.#readBracketEnd()
    else if (token === '[' || token === '![') this.#readBracket(token)
    else if (/^[*_]|^~~$/.test(token)) this.#readRun(token)
    else if (token.startsWith('`') && this.#isClosed(token)) this.#readCode(token)
    else if (token.startsWith('\\') && token.length > 1) this.#add({ kind: 'text', text: token.slice(1) }, 2)
    else this.#add({ kind: 'text', text: token }, token.length)
  }

  #add(piece: Piece, length: number): void {
    this.#pieces.push(piece)
    this.#at += length
  }

  #readBracket(text: string): void {
    const before = { pieces: this.#pieces.length, runs: this.#runs.length }
    this.#brackets.push({ at: this.#at, isImage: text === '![', ...before })
    this.#add({ kind: 'text', text }, text.length)
  }

  #readRun(text: string): void {
    const { length } = text
    const flanking = flanks(this.#source, this.#at, this.#at + length)
    const run: Run = {
      kind: 'run',
      mark: text.charAt(0),
      at: this.#at,
      length,
      left: length,
      ...flanking,
      closing: [],
      opening: [],
    }
    this.#runs.push(run)
    this.#add(run, length)
  }

  #isClosed(ticks: string): boolean {
    return (this.#lastTicks.get(ticks.length) ?? -1) > this.#at
  }

  /** CommonMark 6.1, where as many backticks are known to follow. */
  #readCode(ticks: string): void {
    const rest = this.#source.slice(this.#at + ticks.length)
    let length = 0
    for (const { 0: closing, index } of rest.matchAll(/`+/g)) {
      length = index
      if (closing.length === ticks.length) break
    }
    const text = rest.slice(0, length).replaceAll('\n', ' ')
    const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== ''
    this.#add({ kind: 'code', text: isPadded ? text.slice(1, -1) : text }, length + 2 * ticks.length)
  }

  /** CommonMark 6.3. A link that has a link in it is none. */
  #readBracketEnd(): void {
    const bracket = this.#brackets.pop()
    const canBeLink = bracket && (bracket.isImage || bracket.at > this.#lastLink)
    const end = canBeLink && matchAt(linkEnd, this.#source, this.#at)
    if (end) this.#addTarget(bracket, end)
    else this.#add({ kind: 'text', text: ']' }, 1)
  }

  /** An image, and a link to where no link may lead, are text as a whole. */
  #addTarget(bracket: Bracket, [end, inAngles, bare = '']: RegExpExecArray): void {
    const url = bracket.isImage ? '' : unescapeMarkdown(inAngles ?? bare)
    const id = mentionedID(url, this.#scheme)
    const href = id ? undefined : safeURL(url)
    if (id || href) this.#lastLink = bracket.at
    if (href) {
      this.#pieces[bracket.pieces] = { kind: 'open', html: linkTag(href), source: '[' }
      pairRuns(this.#runs.splice(bracket.runs))
      this.#add({ kind: 'close', html: '</a>', source: end }, end.length)
      return
    }
    this.#pieces.length = bracket.pieces
    this.#runs.length = bracket.runs
    if (id)
      this.#add({ kind: 'mention', id, label: this.#source.slice(bracket.at + 1, this.#at) }, end.length)
    else this.#add({ kind: 'text', text: this.#source.slice(bracket.at, this.#at + end.length) }, end.length)
  }
}

function matchAt(rule: RegExp, source: string, at: number): RegExpExecArray | null {
  rule.lastIndex = at
  return rule.exec(source)
}

function unescapeMarkdown(text: string): string {
  return text.replace(escaped, '$1')
}

function mentionedID(url: string, scheme: string): string | undefined {
  const [, urlScheme, id] = /^([^:]*):((?:usr|grp|wks)_[0-9A-Za-z]{27})$/.exec(url) ?? []
  return urlScheme?.toLowerCase() === scheme.toLowerCase() ? id : undefined
}

function linkTag(href: string): string {
  return `<a href="${escapeHTML(href)}" rel="nofollow noopener noreferrer">`
}

/** The URL as the WHATWG URL standard writes it, if it is absolute and of a scheme that runs nothing. */
function safeURL(url: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
}

/** Whether a run can open or close emphasis: left- and right-flanking (CommonMark 6.2). */
function flanks(source: string, start: number, end: number): { opens: boolean; closes: boolean } {
  const before = [...source.slice(Math.max(0, start - 2), start)].at(-1) ?? ' '
  const after = [...source.slice(end, end + 2)][0] ?? ' '
  const isLeft = isFlanking(after, before)
  const isRight = isFlanking(before, after)
  if (source[start] !== '_') return { opens: isLeft, closes: isRight }
  return {
    opens: isLeft && (!isRight || isPunctuation(before)),
    closes: isRight && (!isLeft || isPunctuation(after)),
  }
}

function isFlanking(inner: string, outer: string): boolean {
  return !isSpace(inner) && (!isPunctuation(inner) || isSpace(outer) || isPunctuation(outer))
}

function isSpace(character: string): boolean {
  return /\s/.test(character)
}

function isPunctuation(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character)
}

/** Process emphasis, as in the appendix of CommonMark, with strikethrough beside it. */
function pairRuns(runs: Run[]): void {
  const openers: Run[] = []
  const triedTo = new Map<string, number>()
  for (const run of runs) {
    if (run.closes) closeRun(run, openers, triedTo)
    if (run.opens && run.left > 0) openers.push(run)
  }
}

/** `triedTo` tells how far the openers were tried in vain for such a run; trying them again would be quadratic. */
function closeRun(run: Run, openers: Run[], triedTo: Map<string, number>): void {
  const sort = `${run.mark}${run.opens}${run.length % 3}`
  const tried = triedTo.get(sort) ?? -1
  while (run.left > 0) {
    const index = openers.findLastIndex((opener) => opener.at <= tried || isPair(opener, run))
    const opener = openers[index]
    if (!opener || opener.at <= tried) {
      triedTo.set(sort, openers.at(-1)?.at ?? -1)
      return
    }
    openers.length = index + 1
    addTags(opener, run)
    if (opener.left === 0) openers.pop()
  }
}

/** Rules 9 and 10 of CommonMark 6.2 say when a run that can open and close is no match. */
function isPair(opener: Run, closer: Run): boolean {
  if (opener.mark !== closer.mark) return false
  const isEither = opener.closes || closer.opens
  return !isEither || (opener.length + closer.length) % 3 !== 0 || opener.length % 3 === 0
}

function addTags(opener: Run, closer: Run): void {
  const size = Math.min(opener.left, closer.left, 2)
  const name = opener.mark === '~' ? 'del' : size === 2 ? 'strong' : 'em'
  const source = opener.mark.repeat(size)
  opener.left -= size
  closer.left -= size
  opener.opening.push({ kind: 'open', html: `<${name}>`, source })
  closer.closing.push({ kind: 'close', html: `</${name}>`, source })
}

function writePieces(pieces: Piece[], names: ReadonlyMap<string, string>): string {
  let html = ''
  let depth = 0
  for (const part of pieces.flatMap(partsOf)) {
    if (part.kind === 'open') depth += 1
    html += depth > maxNesting && 'source' in part ? escapeText(part.source) : writePart(part, names)
    if (part.kind === 'close') depth -= 1
  }
  return html
}

function partsOf(piece: Piece): Part[] {
  if (piece.kind !== 'run') return [piece]
  return [
    ...piece.closing,
    { kind: 'text', text: piece.mark.repeat(piece.left) },
    ...piece.opening.toReversed(),
  ]
}

function writePart(part: Part, names: ReadonlyMap<string, string>): string {
  switch (part.kind) {
    case 'text':
      return escapeText(part.text)
    case 'code':
      return `<code>${escapeHTML(part.text)}</code>`
    case 'mention':
      return writeMention(part, names.get(part.id))
    default:
      return part.html
  }
}

/** The name that the ID has now. Whoever may not be shown keeps the label that was sent, as plain text. */
function writeMention({ id, label }: Mention, name: string | undefined): string {
  if (name === undefined) return escapeText(unescapeMarkdown(label))
  return `<span class="mention" data-id="${id}">@${escapeHTML(name)}</span>`
}

/** Escapes, and keeps the ends of lines: in a message they are meant. */
function escapeText(text: string): string {
  return escapeHTML(text).replaceAll('\n', '<br>')
}

function escapeHTML(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
