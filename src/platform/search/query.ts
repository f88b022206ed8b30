import { pairOf } from './document.ts'
import { wordsIn } from './words.ts'

/** Words that follow each other; of a prefix, the last one is only the beginning of a word. */
export type Term = { words: readonly string[]; isPrefix: boolean }

/** What somebody looks for: of each list in `all` one term at least, and none of `none`. */
export type SearchQuery = { all: readonly (readonly Term[])[]; none: readonly Term[] }

/** What comes after these is not looked at, so that no text costs much. */
const maxCharacters = 10_000
const maxWords = 100
/** The index looks at all words that begin so, which may be many. */
const maxPrefixes = 8

const quotes = '"“”„«»'
const part = new RegExp(`(-*)(?:[${quotes}]([^${quotes}]*)[${quotes}]?|([^\\s${quotes}]+))`, 'gu')

/**
 * Reads a query as web search engines have it: words, which must all be there; `"a phrase"`; `-without`; `one OR other`,
 * which joins the terms beside it; `begin*`. Whatever else is typed separates words, and what has several words without
 * a space between is a phrase. Any text is a query; one that asks for nothing has an empty `all`.
 */
export function readQuery(text: string): SearchQuery {
  const all: Term[][] = []
  const none: Term[] = []
  let previous: Term[] | undefined
  let isOr = false
  let left = maxWords
  let prefixes = 0
  for (const [, dashes, phrase, bare = ''] of text.slice(0, maxCharacters).matchAll(part)) {
    if (bare === 'OR' && !dashes) {
      isOr = previous !== undefined
      continue
    }
    const term = termOf(phrase ?? bare, prefixes < maxPrefixes && bare.endsWith('*'), left)
    if (term.words.length === 0) continue
    if (term.isPrefix) prefixes += 1
    left -= term.words.length
    if (dashes) none.push(term)
    else if (isOr && previous) previous.push(term)
    else all.push([term])
    previous = dashes ? undefined : all.at(-1)
    isOr = false
  }
  return { all, none }
}

function termOf(text: string, isPrefix: boolean, maxWords: number): Term {
  const words = wordsIn(text).map(({ word }) => word)
  return { words: words.slice(0, maxWords), isPrefix: isPrefix && words.length <= maxWords }
}

/**
 * A query as PostgreSQL reads a tsquery, for documents of a realm that have, of each list of marks, one at least. It has
 * to ask for something, and no list may be empty.
 */
export function matching(
  { all, none }: SearchQuery,
  realm: string,
  marks: readonly (readonly string[])[],
): string {
  const parts = [
    ...marks.map((oneOf) => `(${oneOf.map((mark) => `'${mark}'`).join(' | ')})`),
    ...all.map((terms) => anyOf(terms, realm)),
    ...none.map((term) => `!${anyOf([term], realm)}`),
  ]
  return parts.join(' & ')
}

/** The same for ranking: only what is looked for. */
export function ranking({ all }: SearchQuery, realm: string): string {
  return all.map((terms) => anyOf(terms, realm)).join(' & ')
}

function anyOf(terms: readonly Term[], realm: string): string {
  return `(${terms.map((term) => consecutive(term, realm)).join(' | ')})`
}

/** Words that follow each other: by their places, or each two of them as a pair. */
function consecutive({ words, isPrefix }: Term, realm: string): string {
  const begin = isPrefix ? ':*' : ''
  const inPlace = words.map((word) => `'${realm}${word}'`).join(' <-> ')
  const pairs = words.slice(1).map((word, index) => `'${realm}${pairOf(words[index] ?? '', word)}'`)
  return pairs.length > 0 ? `(${inPlace}${begin} | ${pairs.join(' & ')}${begin})` : `(${inPlace}${begin})`
}
