import { pairOf } from './document.ts'
import { wordsIn } from './words.ts'

/** Consecutive words. With `isPrefix`, the last one is only the beginning of a word. */
export type Term = { words: readonly string[]; isPrefix: boolean }

/** Requires at least one term of each list in `all`, and no term of `none`. */
export type SearchQuery = { all: readonly (readonly Term[])[]; none: readonly Term[] }

const maxCharacters = 10_000
const maxWords = 100
// For each prefix, the index reads all words that begin with it. There can be many.
const maxPrefixes = 8

const quotes = '"“”„«»'
const part = new RegExp(`(-*)(?:[${quotes}]([^${quotes}]*)[${quotes}]?|([^\\s${quotes}]+))`, 'gu')

/** Reads `word "a phrase" -without one OR other begin*`. If the text requires no word, `all` is empty. */
export function readQuery(text: string): SearchQuery {
  const all: Term[][] = []
  const none: Term[] = []
  let previous: Term[] | undefined
  let isOr = false
  let wordsLeft = maxWords
  let prefixes = 0
  for (const [, dashes, phrase, bare = ''] of text.slice(0, maxCharacters).matchAll(part)) {
    if (bare === 'OR' && !dashes) {
      isOr = previous !== undefined
      continue
    }
    const term = termOf(phrase ?? bare, prefixes < maxPrefixes && bare.endsWith('*'), wordsLeft)
    if (term.words.length === 0) continue
    if (term.isPrefix) prefixes += 1
    wordsLeft -= term.words.length
    if (dashes) none.push(term)
    else if (isOr && previous) previous.push(term)
    else all.push([term])
    previous = dashes ? undefined : all.at(-1)
    isOr = false
  }
  return { all, none }
}

function termOf(text: string, isPrefix: boolean, wordsLeft: number): Term {
  const words = wordsIn(text).map(({ word }) => word)
  return { words: words.slice(0, wordsLeft), isPrefix: isPrefix && words.length <= wordsLeft }
}

/** Returns a tsquery that also requires a token of each list in `filterTokens`. `all` and each list need an element. */
export function matching(
  { all, none }: SearchQuery,
  wordPrefix: string,
  filterTokens: readonly (readonly string[])[],
): string {
  const parts = [
    ...filterTokens.map((oneOf) => `(${oneOf.map((token) => `'${token}'`).join(' | ')})`),
    ...all.map((terms) => anyOf(terms, wordPrefix)),
    ...none.map((term) => `!${anyOf([term], wordPrefix)}`),
  ]
  return parts.join(' & ')
}

export function ranking({ all }: SearchQuery, wordPrefix: string): string {
  return all.map((terms) => anyOf(terms, wordPrefix)).join(' & ')
}

function anyOf(terms: readonly Term[], wordPrefix: string): string {
  return `(${terms.map((term) => consecutive(term, wordPrefix)).join(' | ')})`
}

function consecutive({ words, isPrefix }: Term, wordPrefix: string): string {
  const begin = isPrefix ? ':*' : ''
  const inPlace = words.map((word) => `'${wordPrefix}${word}'`).join(' <-> ')
  const pairs = words.slice(1).map((word, index) => `'${wordPrefix}${pairOf(words[index] ?? '', word)}'`)
  return pairs.length > 0 ? `(${inPlace}${begin} | ${pairs.join(' & ')}${begin})` : `(${inPlace}${begin})`
}
