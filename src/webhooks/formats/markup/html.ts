import { escapeInline, oneLine } from '../markdown.ts'

const maxTagCharacters = 4000
const characters = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['hellip', '…'],
  ['mdash', '—'],
  ['ndash', '–'],
])

/** Begins a tag after which the text continues on a new line. */
export const lineBreak = /^<(?:br|\/p|\/li|\/summary|\/h[1-6]|\/tr)\b/i

/** Returns the character of an entity, such as `&lt;`, as Markdown. An entity that is not known stays as it is. */
export function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1)
  const character = name.startsWith('#') ? characterOf(name.slice(1)) : characters.get(name)
  if (character === undefined) return entity
  return character === '[' || character === ']' ? `\\${character}` : escapeInline(character)
}

function characterOf(number: string): string | undefined {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number.parseInt(number, 10)
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  if (code < 0x20 || code > 0x10ffff || isSurrogate) return undefined
  return String.fromCodePoint(code)
}

/** Returns the picture of an `<img>`. */
export function pictureOf(tag: string): { label: string; url: string } | undefined {
  if (!/^<img\b/i.test(tag)) return undefined
  const start = tag.slice(0, maxTagCharacters)
  return { label: oneLine(attributeOf(start, 'alt')) || 'picture', url: attributeOf(start, 'src') }
}

function attributeOf(tag: string, name: string): string {
  const [, double, single, bare = ''] =
    new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag) ?? []
  return (double ?? single ?? bare).replaceAll('&amp;', '&')
}
