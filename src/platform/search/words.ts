/** A word as it is compared, and where it stands in its text. */
export type Word = { word: string; start: number; end: number }

/** Longer words are compared by their beginnings. */
const maxWordCharacters = 64

// Scripts that are written without spaces. Each of their letters, with its marks, counts as a word, and what somebody
// looks for as a phrase of them: so it is found wherever it stands, which no dictionary could promise. The marks of kana
// of half width (U+FF9E, U+FF9F) are letters to Unicode.
// What is written in Latin and others too, such as the tilde that follows a letter, is no sign of these scripts.
const shared = '\\u02bc\\u0300-\\u036f'
const scripts = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const unspaced = `(?![${shared}])[${scripts.map((script) => `\\p{scx=${script}}`).join('')}]`
const anyWord = new RegExp(
  `(?=[\\p{L}\\p{N}])${unspaced}[\\p{M}\\uff9e\\uff9f]*|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
)
const isPlainLetter = /[0-9a-z]/
/** By the code of an ASCII character, 1 for 0-9 and a-z. */
const plainLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(isPlainLetter.test(String.fromCharCode(code))),
)
const isForeign = /\P{ASCII}/u

/**
 * The words of a text, in order: runs of letters and digits, whatever the script, compared without regard to case,
 * accents and forms of letters (Unicode NFKD). Everything else only separates them.
 */
export function wordsIn(text: string): Word[] {
  if (!isForeign.test(text)) return plainWordsIn(text.toLowerCase())
  const words: Word[] = []
  for (const { 0: found, index } of text.matchAll(anyWord)) {
    const word = fold(found).slice(0, maxWordCharacters).toWellFormed()
    if (word !== '') words.push({ word, start: index, end: index + found.length })
  }
  return words
}

/** The same of ASCII in lower case, in less than half of the time. */
function plainWordsIn(text: string): Word[] {
  const words: Word[] = []
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && plainLetters[text.charCodeAt(at)] === 1) continue
    if (at > start)
      words.push({ word: text.slice(start, Math.min(at, start + maxWordCharacters)), start, end: at })
    start = at + 1
  }
  return words
}

/**
 * By way of the capital letters, since some letters have only those in common, as ß and ss do, but not ẞ; and of the two
 * forms that a sigma has in lower case, one. The accents taken away are those of Latin, Greek and Cyrillic: other scripts need theirs.
 */
function fold(word: string): string {
  if (!isForeign.test(word)) return word.toLowerCase()
  const bare = word.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  const folded = bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
  return folded.replace(/[^\p{L}\p{N}\p{M}]/gu, '')
}
