export type Word = { word: string; start: number; end: number }

const maxWordCharacters = 64

// In scripts without spaces, each letter with its combining marks is a word. A search for several letters is a phrase,
// which needs no dictionary. Unicode classifies the marks of half-width kana (U+FF9E, U+FF9F) as letters. `shared`
// characters, such as a combining tilde, also occur in other scripts.
const shared = '\\u02bc\\u0300-\\u036f'
const scripts = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const unspaced = `(?![${shared}])[${scripts.map((script) => `\\p{scx=${script}}`).join('')}]`
const anyWord = new RegExp(
  `(?=[\\p{L}\\p{N}])${unspaced}[\\p{M}\\uff9e\\uff9f]*|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
)
const isPlainLetter = /[0-9a-z]/
const plainLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(isPlainLetter.test(String.fromCharCode(code))),
)
const hasNonASCII = /\P{ASCII}/u

/** Returns normalized words in lower case. Removes Latin, Greek and Cyrillic accents. Accents of other scripts stay. */
export function wordsIn(text: string): Word[] {
  if (!hasNonASCII.test(text)) return plainWordsIn(text.toLowerCase())
  const words: Word[] = []
  for (const { 0: found, index } of text.matchAll(anyWord)) {
    const word = fold(found).slice(0, maxWordCharacters).toWellFormed()
    if (word !== '') words.push({ word, start: index, end: index + found.length })
  }
  return words
}

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

// Some letters are equal only in upper case: ß and ss both become SS. ẞ must become ß before it can become SS.
function fold(word: string): string {
  if (!hasNonASCII.test(word)) return word.toLowerCase()
  const bare = word.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  const folded = bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
  return folded.replace(/[^\p{L}\p{N}\p{M}]/gu, '')
}
