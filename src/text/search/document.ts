import { wordsIn } from './words.ts'

// A tsvector has at most 1 MiB. This many characters of any script fit, together with `maxPairs` pairs.
const maxCharacters = 100_000
const maxPairs = 40_000
// PostgreSQL keeps 255 positions of a word, and changes positions above 16,383 to 16,383 (Text Search, Limitations).
const maxPositionsOfWord = 255
const maxPosition = 16_383

/** Joins two neighbouring words. A document without all positions of its words contains these pairs. */
export const pairOf = (first: string, second: string): string => `${first} ${second}`

/** Returns the tsvector of texts, with pairs if positions are missing. Each token must contain a `_`, unlike words. */
export function documentOf(
  texts: readonly string[],
  wordPrefix: string,
  filterTokens: readonly string[],
): string {
  // A position without a word separates two texts, because a phrase must not begin in one and end in the other.
  const words = texts.flatMap((text, index) => [...(index > 0 ? [undefined] : []), ...wordsOf(text)])
  const positions = new Map<string, number[]>()
  for (const [index, word] of words.entries()) {
    if (word === undefined) continue
    const earlier = positions.get(word)
    if (earlier) earlier.push(index + 1)
    else positions.set(word, [index + 1])
  }
  const isKept =
    words.length <= maxPosition && [...positions.values()].every((at) => at.length <= maxPositionsOfWord)
  const entries = [...positions].map(([word, at]) => {
    const kept = isKept ? at : at.filter((position) => position <= maxPosition).slice(0, maxPositionsOfWord)
    return kept.length > 0 ? `'${wordPrefix}${word}':${kept.join(',')}` : `'${wordPrefix}${word}'`
  })
  const pairs = isKept ? [] : pairsOf(words).map((pair) => `'${wordPrefix}${pair}'`)
  return [...entries, ...pairs, ...filterTokens.map((token) => `'${token}'`)].join(' ')
}

function wordsOf(text: string): string[] {
  return wordsIn(text.slice(0, maxCharacters)).map(({ word }) => word)
}

function pairsOf(words: readonly (string | undefined)[]): string[] {
  const pairs = new Set<string>()
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    if (before !== undefined && word !== undefined && pairs.size < maxPairs) pairs.add(pairOf(before, word))
  }
  return [...pairs]
}
