import { unescapeMarkdown } from '../../../text/markdown/escape.ts'
import { linkEnd, matchAt } from '../../../text/markdown/links.ts'
import { address, canLink, escapeInline, inlineCode, joinInline, linkTo } from '../markdown.ts'
import { decodeEntity, lineBreak, pictureOf } from './html.ts'

/** An opening bracket of a link or an image. `part` is the index of its part. */
type Bracket = { part: number; isImage: boolean }

const token = new RegExp(
  [
    /\\[!-/:-@[-`{-~]/.source,
    /`+|!?\[|\]|<!--/.source,
    /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|<\/?[A-Za-z][^<>]*>/.source,
    /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});/.source,
    address,
    /[^\\`![\]<&h]+|[\s\S]/.source,
  ].join('|'),
  'y',
)

/**
 * Converts the inlines of GitHub and GitLab in linear time. Emphasis stays as it is. Images become links. HTML and links
 * that are not to the web lose their markup and keep their text.
 */
export function inlineMarkup(source: string): string {
  return new InlineConverter(source).convert()
}

class InlineConverter {
  readonly #source: string
  readonly #runsOfTicks: ReadonlyMap<number, number[]>
  readonly #parts: string[] = []
  readonly #brackets: Bracket[] = []
  // A link contains no other link, and an image contains neither. Otherwise, the texts would be joined again and again.
  #lastLink = -1
  #lastImage = -1
  #at = 0

  constructor(source: string) {
    this.#source = source
    const runs = new Map<number, number[]>()
    for (const { 0: ticks, index } of source.matchAll(/`+/g)) {
      const known = runs.get(ticks.length)
      if (known) known.push(index)
      else runs.set(ticks.length, [index])
    }
    for (const indexes of runs.values()) indexes.reverse()
    this.#runsOfTicks = runs
  }

  convert(): string {
    while (this.#at < this.#source.length) {
      const found = matchAt(token, this.#source, this.#at)?.[0] ?? ''
      this.#at += found.length
      this.#read(found)
    }
    return joinInline(this.#parts).trim()
  }

  #read(found: string): void {
    if (found.startsWith('`')) this.#readCode(found)
    else if (found === '[' || found === '![') this.#readBracket(found)
    else if (found === ']') this.#readBracketEnd()
    else if (found === '<!--') this.#skipComment()
    else if (found.startsWith('<') && found.length > 1) this.#readTag(found)
    else if (found.startsWith('&') && found.length > 1) this.#parts.push(decodeEntity(found))
    else this.#parts.push(found)
  }

  #readCode(ticks: string): void {
    const closing = this.#closingTicks(ticks.length)
    if (closing === undefined) this.#parts.push(ticks)
    else {
      const text = this.#source.slice(this.#at, closing).replaceAll('\n', ' ')
      const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== ''
      this.#parts.push(inlineCode(isPadded ? text.slice(1, -1) : text))
      this.#at = closing + ticks.length
    }
  }

  #closingTicks(length: number): number | undefined {
    const indexes = this.#runsOfTicks.get(length) ?? []
    while (indexes.length > 0 && (indexes.at(-1) ?? 0) < this.#at) indexes.pop()
    return indexes.at(-1)
  }

  #readBracket(found: string): void {
    this.#brackets.push({ part: this.#parts.length, isImage: found === '![' })
    this.#parts.push(found)
  }

  #readBracketEnd(): void {
    const bracket = this.#brackets.pop()
    const end = bracket && this.#canEnd(bracket) ? matchAt(linkEnd, this.#source, this.#at - 1) : null
    if (bracket && end) this.#addTarget(bracket, end)
    else this.#parts.push(']') // joinInline escapes what follows
  }

  #canEnd({ part, isImage }: Bracket): boolean {
    return part > this.#lastLink && !(isImage && part <= this.#lastImage)
  }

  #addTarget({ part, isImage }: Bracket, [end, inAngles, bare = '']: RegExpExecArray): void {
    const url = unescapeMarkdown(inAngles ?? bare)
    const label = joinInline(this.#parts.splice(part).slice(1))
    this.#at += end.length - 1
    if (isImage) this.#addImage(label || 'picture', url)
    else {
      this.#lastLink = part
      this.#parts.push(canLink(url) ? `[${label}](${escapedURL(url)})` : label)
    }
  }

  /** An image inside a link is only its description. */
  #addImage(label: string, url: string): void {
    this.#lastImage = this.#parts.length
    const isAlone = this.#brackets.length === 0 && canLink(url)
    this.#parts.push(isAlone ? `[${label}](${escapedURL(url)})` : label)
  }

  #skipComment(): void {
    const end = this.#source.indexOf('-->', this.#at)
    this.#at = end < 0 ? this.#source.length : end + '-->'.length
  }

  #readTag(tag: string): void {
    const picture = pictureOf(tag)
    if (picture) this.#addImage(escapeInline(picture.label), picture.url)
    else if (lineBreak.test(tag)) this.#parts.push('\n')
    else if (/^<[a-z][a-z0-9+.-]+:/i.test(tag)) this.#parts.push(linkTo('', tag.slice(1, -1)))
  }
}

function escapedURL(url: string): string {
  return url.replace(/[\\()]/g, '\\$&')
}
