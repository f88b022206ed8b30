type Named = { id: string; name: string }

const start = /(?<![^\s(])@(?=[\p{L}\p{N}])/gu
// A name ends before a space or punctuation. In ada.com, ada-marie and ada_1, it continues.
const end = '(?![\\p{L}\\p{N}_@\\]-]|[.][\\p{L}\\p{N}])'

/** Returns the Markdown of a mention. */
export function mentionOf({ id, name }: Named): string {
  return `[${name.replace(/[\\[\]*_~`]/g, '\\$&')}](skein:${id})`
}

/**
 * Returns the entry with this name. Returns undefined if several entries have the name, or if another name begins with
 * `typed` followed by a space or by `next`.
 */
export function exactEntry<E extends Named>(
  entries: readonly E[],
  typed: string,
  next: string,
): E | undefined {
  const begins = (text: string) => new RegExp(`^${literal(text)}`, 'iu')
  const [longer, other] = [begins(`${typed} `), begins(typed + next)]
  if (entries.some(({ name }) => longer.test(name) || other.test(name))) return undefined
  const exact = new RegExp(`^${literal(typed)}$`, 'iu')
  const [found, second] = entries.filter(({ name }) => exact.test(name))
  return second ? undefined : found
}

/**
 * Replaces each @ that is followed by the whole name of an entry with a mention. Takes the longest name. Leaves the
 * text unchanged if several entries have that name, or if `isRefused` returns true for the position of the @ and the
 * name as it was typed.
 */
export function completeMentions(
  text: string,
  entries: readonly Named[],
  isRefused: (at: number, typed: string) => boolean,
): string {
  let result = ''
  let done = 0
  for (const { index } of text.matchAll(start)) {
    const found = index < done || !isPlain(text, index) ? undefined : longest(text.slice(index + 1), entries)
    if (!found || isRefused(index, found.typed)) continue
    result += text.slice(done, index) + mentionOf(found.entry)
    done = index + 1 + found.typed.length
  }
  return result + text.slice(done)
}

/** Returns whether the position is neither in code nor in the text of a link. */
export function isPlain(text: string, at: number): boolean {
  const before = text.slice(0, at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0
  const ticks = line.match(/`+/g)?.length ?? 0
  return fences % 2 === 0 && ticks % 2 === 0 && line.lastIndexOf('[') <= line.lastIndexOf(']')
}

function longest(rest: string, entries: readonly Named[]) {
  const matches = entries.flatMap((entry) => {
    const typed = new RegExp(`^${literal(entry.name)}${end}`, 'iu').exec(rest)?.[0]
    return typed === undefined ? [] : [{ entry, typed }]
  })
  const length = Math.max(...matches.map(({ typed }) => typed.length))
  const [found, second] = matches.filter(({ typed }) => typed.length === length)
  return second ? undefined : found
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')
}
