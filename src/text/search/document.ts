import { wordsIn } from './words.ts'

/** A tsvector holds at most 1 MiB. This many characters of any script fit, with this many pairs. */
const maxCharacters = 100_000
const maxPairs = 40_000
// PostgreSQL keeps this many positions of a word, and counts later ones as the last (Text Search, Limitations).
const maxPlacesOfWord = 255
const lastPlace = 16_383

/** Joins two neighbouring words, for documents that cannot keep all positions. No word contains a space. */
export const pairOf = (first: string, second: string): string => `${first} ${second}`

/** Returns a text's tsvector, with pairs if positions are missing. `marks` must contain a `_`, which no word has. */
export function documentOf(text: string, realm: string, marks: readonly string[]): string {
  const words = wordsIn(text.slice(0, maxCharacters)).map(({ word }) => word)
  const places = new Map<string, number[]>()
  for (const [index, word] of words.entries()) {
    const known = places.get(word)
    if (known) known.push(index + 1)
    else places.set(word, [index + 1])
  }
  const isKept = words.length <= lastPlace && [...places.values()].every((at) => at.length <= maxPlacesOfWord)
  const entries = [...places].map(([word, at]) => {
    const kept = isKept ? at : at.filter((place) => place <= lastPlace).slice(0, maxPlacesOfWord)
    return kept.length > 0 ? `'${realm}${word}':${kept.join(',')}` : `'${realm}${word}'`
  })
  const pairs = isKept ? [] : pairsOf(words).map((pair) => `'${realm}${pair}'`)
  return [...entries, ...pairs, ...marks.map((mark) => `'${mark}'`)].join(' ')
}

function pairsOf(words: readonly string[]): string[] {
  const pairs = new Set<string>()
  for (const [index, word] of words.entries()) {
    if (index > 0 && pairs.size < maxPairs) pairs.add(pairOf(words[index - 1] ?? '', word))
  }
  return [...pairs]
}
