import { flanks, pairRuns } from './emphasis.ts'
import { escaped, unescapeMarkdown } from './escape.ts'
import { linkEnd, linkTag, type MentionSchemes, matchAt, mentionedID, safeURL } from './links.ts'
import type { Piece, Run } from './pieces.ts'

type Bracket = { at: number; isImage: boolean; pieces: number; runs: number }

// Underscores in a bare link are text, not emphasis.
const bareLink = /https?:\/\/[^\s<>"'`()[\]*~\\]*[^\s<>"'`()[\]*~\\_.,:;!?]/.source
const autolink = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>/.source
const plain = /[^\\`*_~![\]<][^\\`*_~![\]<h]*/.source // stops at an h, where a bare link may start
const inlineToken = new RegExp(
  `${escaped.source}|\\\\\\n|\`+|\\*+|_+|~+|!?\\[|\\]|${bareLink}|${autolink}|${plain}|[\\s\\S]`,
  'y',
)

/** Reads the text of a paragraph in linear time (CommonMark 6, and its appendix, A parsing strategy). */
export function readInline(text: string, schemes: MentionSchemes): Piece[] {
  const lines = text.split('\n').map((line) => line.trim())
  return new InlineReader(lines.join('\n'), schemes).read()
}

class InlineReader {
  readonly #source: string
  readonly #schemes: MentionSchemes
  readonly #lastTicks = new Map<number, number>() // by length: the position of the last run of backticks
  readonly #pieces: Piece[] = []
  readonly #runs: Run[] = []
  readonly #brackets: Bracket[] = []
  #lastLink = -1
  #at = 0

  constructor(source: string, schemes: MentionSchemes) {
    this.#source = source
    this.#schemes = schemes
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
      remaining: length,
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

  /** Reads the end of a link (CommonMark 6.3). A link that contains a link is text. */
  #readBracketEnd(): void {
    const bracket = this.#brackets.pop()
    const canBeLink = bracket && (bracket.isImage || bracket.at > this.#lastLink)
    const end = canBeLink && matchAt(linkEnd, this.#source, this.#at)
    if (end) this.#addTarget(bracket, end)
    else this.#add({ kind: 'text', text: ']' }, 1)
  }

  /** Adds a link or a mention. Images, and links to URLs that are not allowed, become text with their brackets. */
  #addTarget(bracket: Bracket, [end, inAngles, bare = '']: RegExpExecArray): void {
    const url = bracket.isImage ? '' : unescapeMarkdown(inAngles ?? bare)
    const id = mentionedID(url, this.#schemes)
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
