import { wordsIn } from './words.ts'

// A tsvector has at most 1 MiB. This many characters of any script fit, together with `maxPairs` pairs.
const maxCharacters = 100_000
const maxPairs = 40_000
// PostgreSQL stores at most 255 positions of a word (its documentation says 256). Positions above 16,383 become 16,383.
const maxPositionsOfWord = 255
const maxPosition = 16_383

/** Joins two neighbouring words. A document that lacks positions contains these pairs, so that phrases can be found. */
export const pairOf = (first: string, second: string): string => `${first} ${second}`

/** Returns the tsvector of texts, with pairs if positions are missing. Each token must contain a `_`, unlike words. */
export function documentOf(
  texts: readonly string[],
  wordPrefix: string,
  filterTokens: readonly string[],
): string {
  const words = wordsOf(texts)
  const entries = words.length <= maxPositionsOfWord ? fewEntriesOf(words) : entriesOf(words)
  return [
    ...entries.map((entry) => `'${wordPrefix}${entry}`),
    ...filterTokens.map((token) => `'${token}'`),
  ].join(' ')
}

/** Returns the words in order. A position without a word separates two texts, so that no phrase spans both. */
function wordsOf(texts: readonly string[]): (string | undefined)[] {
  const words: (string | undefined)[] = []
  for (const text of texts) {
    if (words.length > 0) words.push(undefined)
    for (const { word } of wordsIn(text.slice(0, maxCharacters))) words.push(word)
  }
  return words
}

/** Returns entries such as `word':1,5`, for at most 255 words. Must be fast, because most messages are this short. */
function fewEntriesOf(words: readonly (string | undefined)[]): string[] {
  const positions = new Map<string, string>()
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined) continue
    const earlier = positions.get(word)
    positions.set(word, earlier === undefined ? `${at + 1}` : `${earlier},${at + 1}`)
  }
  return [...positions].map(([word, at]) => `${word}':${at}`)
}

/** Like `fewEntriesOf`, for any number of words. Adds pairs if PostgreSQL cannot keep all positions. */
function entriesOf(words: readonly (string | undefined)[]): string[] {
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
    return kept.length > 0 ? `${word}':${kept.join(',')}` : `${word}'`
  })
  return isKept ? entries : [...entries, ...pairsOf(words).map((pair) => `${pair}'`)]
}

function pairsOf(words: readonly (string | undefined)[]): string[] {
  const pairs = new Set<string>()
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    if (before !== undefined && word !== undefined && pairs.size < maxPairs) pairs.add(pairOf(before, word))
  }
  return [...pairs]
}
