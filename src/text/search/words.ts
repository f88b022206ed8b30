export type Word = { word: string; start: number; end: number }

const maxWordCharacters = 64

// Letters and signs that count as others: Latin letters that do not decompose, as PostgreSQL's unaccent.rules has them, the
// final sigma, and all apostrophes.
const others = `a:ᴀᶏⱥ aa:ꜳ ae:æᴁ ao:ꜵ au:ꜷ av:ꜹꜻ ay:ꜽ b:ƀƃɓʙᴃᵬᶀ c:ƈȼɕᴄꞓ d:ðđƌȡɖɗᴅᴆᵭᶁᶑꝱꝺ db:ȸ dz:ʣʥ e:ɇɛᴇᶒᶓⱸ f:ƒᵮᶂꜰꝼ
  g:ǥɠɡɢʛᶃꞡ h:ħɦɧʜⱨ hv:ƕ i:ɨɩɪᵻᶖ j:ȷɉɟʝᴊ k:ƙᴋᶄⱪꝁꝃꝅꞣ l:łƚȴɫɬɭʟᴌᶅⱡꝇꝉꝲ ll:ỻ ls:ʪ lz:ʫ m:ɱᴍᵯᶆꝳ n:ŋƞȵɲɳɴᵰᶇꝴꞑꞥ
  o:øᴏⱺꝋꝍ oe:œɶ oi:ƣ oo:ꝏ p:ƥᴘᵱᵽᶈꝑꝓꝕ q:ĸʠꝗꝙ qp:ȹ r:ɍɼɽɾʀᵲᵳᶉꝵꝶꞧ s:ȿʂᵴᶊẜẝꜱꞩ t:ŧƫƭȶʈᴛᵵⱦꝷꞇ th:þᵺꝥꝧ ts:ʦ u:ʉᴜᵾᶙ
  ue:ᵫ v:ʋᴠᶌỽⱱⱴꝟ vy:ꝡ w:ᴡⱳ x:ᶍ y:ƴɏʏỿ z:ƶȥɀʐʑᴢᵶᶎⱬ σ:ς ':ʹʻʼʽʾʿˈ׳‘’‛′`
const plainOf = new Map(
  others.split(/\s+/).flatMap((entry) => {
    const [plain = '', letters = ''] = entry.split(':')
    return [...letters].map((letter) => [letter, plain] as const)
  }),
)
const other = new RegExp(`[${[...plainOf.keys()].join('')}]`, 'gu')

// Persian and Indic scripts use ZWNJ and ZWJ in their spelling. After letters of other scripts, they are ignored too.
const joiner = '[\\u200c\\u200d]'
const joinedScripts = ['Latin', 'Greek', 'Cyrillic', 'Hebrew', 'Hangul'].map((script) => `\\p{sc=${script}}`)
const ignorable = `(?!${joiner})\\p{DI}|(?<=[0-9${joinedScripts.join('')}][\\u0300-\\u036f]*)${joiner}`
// Arabic letters keep hamza and madda, because other letters result without them.
const vowel = '(?=[\\p{scx=Arab}\\p{scx=Hebr}])(?![\\u0653-\\u0655])\\p{Mn}'
const ignored = new RegExp(`[\\u0300-\\u036f]|${vowel}|${ignorable}`, 'gu')

// In scripts without spaces, each letter with its combining marks is a word. A search for several letters is a phrase,
// which needs no dictionary. Unicode classifies the marks of half-width kana (U+FF9E, U+FF9F) as letters. `shared`
// characters, such as a combining tilde, also occur in other scripts. Some apostrophes are letters in Unicode.
const shared = '\\u0300-\\u036f'
const scripts = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const unspaced = `(?![${shared}])[${scripts.map((script) => `\\p{scx=${script}}`).join('')}]`
const apostrophe = '[\\u02b9\\u02bb-\\u02bf\\u02c8]'
const anyWord = new RegExp(
  `(?=[\\p{L}\\p{N}])${unspaced}[\\p{M}\\uff9e\\uff9f]*|(?:(?!${unspaced}|${apostrophe})[\\p{L}\\p{N}\\p{M}]|${ignorable})+`,
  'gu',
)
const isPlainLetter = /[0-9a-z]/
const plainLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(isPlainLetter.test(String.fromCharCode(code))),
)
const hasNonASCII = /\P{ASCII}/u

/**
 * Returns the text as it is compared with others: in lower case, without characters that are not shown, the accents of
 * Latin, Greek and Cyrillic, and the vowel signs of Arabic and Hebrew. The marks of other scripts stay.
 */
export function fold(text: string): string {
  if (!hasNonASCII.test(text)) return text.toLowerCase().replace(/\s+/g, ' ')
  const bare = text.normalize('NFKD').replace(ignored, '')
  // Some letters are equal only in upper case: ß and ss both become SS. ẞ must become ß before it can become SS.
  const lower = bare.toLowerCase().toUpperCase().toLowerCase()
  return lower
    .replace(other, (letter) => plainOf.get(letter) ?? letter)
    .replace(/\s+/g, ' ')
    .normalize('NFC')
}

/**
 * Returns the folded text with a space before each word. A name matches a search if its key contains the key of the
 * search. The search then begins at the start of a word, or anywhere in a script without spaces.
 */
export function searchKey(text: string): string {
  return fold(text).replace(anyWord, ' $&')
}

/** Returns the folded words of a text, without punctuation. */
export function wordsIn(text: string): Word[] {
  if (!hasNonASCII.test(text)) return plainWordsIn(text.toLowerCase())
  const words: Word[] = []
  for (const { 0: found, index } of text.matchAll(anyWord)) {
    const word = foldWord(found).slice(0, maxWordCharacters).toWellFormed()
    if (word !== '') words.push({ word, start: index, end: index + found.length })
  }
  return words
}

function foldWord(word: string): string {
  return hasNonASCII.test(word) ? fold(word).replace(/[^\p{L}\p{N}\p{M}]/gu, '') : word.toLowerCase()
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
