import { fold } from '../../../text/search/words.ts'

type Named = { id: string; name: string }

const start = /(?<![^\s(])@(?=[\p{L}\p{N}])/gu
// A name ends before a space or punctuation. In ada.com, ada-marie and ada_1, it continues.
const end = /(?!^)(?![\p{L}\p{N}\p{M}_@\]-]|[.][\p{L}\p{N}])/gu
const longestName = 300
// A mention begins at the start of a word. Names can have several words, but a search stops at a line break.
const unfinished = /(?:^|[\s(])@([\p{L}\p{N}][^\n@[\]]{0,40})?$/u

type UnfinishedMention = { start: number; search: string }

/** Returns the mention that a person is typing at the end of the text: where its @ is, and what follows the @. */
export function unfinishedMention(before: string): UnfinishedMention | null {
  const match = unfinished.exec(before)
  if (!match) return null
  const search = match[1] ?? ''
  return { start: before.length - search.length - 1, search }
}

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
  const continued = [fold(`${typed} `), fold(typed + next)]
  if (entries.some(({ name }) => continued.some((text) => fold(name).startsWith(text)))) return undefined
  return onlyEntry(entries, typed)
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
  const names = new Set(entries.map(({ name }) => fold(name)))
  const ends = [...rest.slice(0, longestName).matchAll(end)].map(({ index }) => rest.slice(0, index))
  const typed = ends.findLast((text) => names.has(fold(text)))
  const entry = typed === undefined ? undefined : onlyEntry(entries, typed)
  return typed === undefined || !entry ? undefined : { entry, typed }
}

/** Returns the entry with this name. Case and accents are ignored, and several entries with the name match nothing. */
function onlyEntry<E extends Named>(entries: readonly E[], typed: string): E | undefined {
  const [found, second] = entries.filter(({ name }) => fold(name) === fold(typed))
  return second ? undefined : found
}
