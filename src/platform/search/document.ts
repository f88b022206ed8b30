import { wordsIn } from './words.ts'

/** PostgreSQL keeps at most 1 MiB of the words of a text; this much of any script fits, with so many pairs. */
const maxCharacters = 100_000
const maxPairs = 40_000
// And it keeps so many places of a word, and takes all that come later for the last one (Text Search, Limitations).
const maxPlacesOfWord = 255
const lastPlace = 16_383

/** How two words that follow each other stand in a document where places would not tell it. No word has a space. */
export const pairOf = (first: string, second: string): string => `${first} ${second}`

/**
 * The words of a text with their places, as PostgreSQL reads a tsvector; also all pairs of neighbours, where not all
 * places are kept. `marks` stand among them without a place: names that no word of a text can have, since they hold a
 * `_`. Of a very long text the first 100,000 characters count. Only who asks for the words of the same realm finds it.
 */
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
