/** An http or https address in a text, from `start` up to `end`. */
export type Address = { start: number; end: number; href: string }

/** Ends an address: spaces, controls, quotes, dashes between clauses, and the punctuation of Chinese and Japanese. */
const outside =
  '\\s\\p{Cc}<>"`\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069“”„«»‹›—…、。〈-】〔-〟！（），：；？｜｡-､'
/** Between two addresses without a space, such as in a list. */
const between = "[,;|'()[\\]{}]{1,3}https?://"
/** After a letter, a digit or a plus, the scheme would be a part of another word, such as `git+https`. */
const candidate = new RegExp(
  `(?<![a-z\\d+])https?://(?=[^\\p{P}]|\\[)(?:(?!${between})[^${outside}])+`,
  'giu',
)
/** The text up to the last character that can end an address. Other punctuation belongs to the sentence. */
const upToEnd = /^.*(?:[^\p{P}~|]|[#%&\-/@()[\]{}])/su
const partners = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/** Finds the addresses in a text, in linear time. */
export function findAddresses(text: string): Address[] {
  const found: Address[] = []
  for (const { 0: run, index } of text.matchAll(candidate)) {
    const quoted = text[index - 1] === "'" ? run.split("'", 1).join() : run
    const address = upToEnd.exec(balanced(quoted))?.[0] ?? ''
    const href = hrefOf(address)
    if (href !== undefined) found.push({ start: index, end: index + address.length, href })
  }
  return found
}

function hrefOf(address: string): string | undefined {
  try {
    return new URL(address).href
  } catch {
    return undefined
  }
}

/** Returns the text up to the first bracket without a partner. */
function balanced(text: string): string {
  const open: { at: number; partner: string }[] = []
  for (const { 0: bracket, index } of text.matchAll(/[()[\]{}]/g)) {
    const partner = partners.get(bracket)
    if (partner !== undefined) open.push({ at: index, partner })
    else if (open.at(-1)?.partner === bracket) open.pop()
    else return text.slice(0, open[0]?.at ?? index)
  }
  return text.slice(0, open[0]?.at)
}
