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
// `\s` contains U+FEFF, which is ignored inside a word.
const part = new RegExp(`(-*)[${quotes}]([^${quotes}]*)[${quotes}]?|((?:[^\\s${quotes}]|\\ufeff)+)`, 'gu')

/** Reads `word "a phrase" -"without" one OR other begin*`. If the text requires no word, `all` is empty. */
export function readQuery(text: string): SearchQuery {
  const all: Term[][] = []
  const none: Term[] = []
  let previous: Term[] | undefined
  let isOr = false
  const left = { words: maxWords, prefixes: maxPrefixes }
  for (const [, dashes, phrase, bare = ''] of text.slice(0, maxCharacters).matchAll(part)) {
    if (bare === 'OR' && all.length + none.length > 0) {
      isOr = previous !== undefined
      continue
    }
    const forms = phrase === undefined ? formsOf(bare) : [{ words: wordsOf(phrase), isPrefix: false }]
    const terms = forms.flatMap((term) => within(left, term))
    if (terms.length === 0) continue
    if (dashes) none.push(...terms)
    else if (isOr && previous) previous.push(...terms)
    else all.push(terms)
    previous = dashes ? undefined : all.at(-1)
    isOr = false
  }
  return { all, none }
}

const version = /^[^\p{L}\p{N}]*\d+(\.\d+){1,2}(?!\.?\d)/u
const date = /^[^\p{L}\p{N}]*\d{4}-\d\d-\d\d[^\p{L}\p{N}]*$/u

// Korean words end with particles.
const endsInHangul = /\p{sc=Hangul}[^\p{L}\p{N}]*$/u

/** Returns the forms in which a text can contain a part of a query: a version also after `v`, a date also before `T`. */
function formsOf(bare: string): Term[] {
  const term = { words: wordsOf(bare), isPrefix: bare.endsWith('*') || endsInHangul.test(bare) }
  const { words } = term
  if (version.test(bare)) return [term, { ...term, words: [`v${words[0]}`, ...words.slice(1)] }]
  if (date.test(bare)) return [term, { words: [...words.slice(0, -1), `${words.at(-1)}t`], isPrefix: true }]
  return [term]
}

function wordsOf(text: string): string[] {
  return wordsIn(text).map(({ word }) => word)
}

/** Cuts a term to what is left, and takes it from there. */
function within(left: { words: number; prefixes: number }, term: Term): Term[] {
  const words = term.words.slice(0, left.words)
  if (words.length === 0) return []
  const isPrefix = term.isPrefix && left.prefixes > 0 && words.length === term.words.length
  left.words -= words.length
  if (isPrefix) left.prefixes -= 1
  return [{ words, isPrefix }]
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
