import { fold } from '../../../text/search/words.ts'
import { isInCode } from '../field-text/field-markdown.ts'
import { type Change, type FieldText, mentionText } from '../field-text/field-text.ts'

type Named = { id: string; name: string }

const start = /(?<![^\s(])@(?=[\p{L}\p{N}])/gu
// A name ends before a space or punctuation. In ada.com, ada-marie and ada_1, it continues.
const end = /(?!^)(?![\p{L}\p{N}\p{M}_@\]-]|[.][\p{L}\p{N}])/gu
const longestName = 300
// A mention begins at the start of a word. Names can have several words, but a search stops at a line break.
const unfinished = /(?:^|[\s(])@([\p{L}\p{N}][^\n@[\]]{0,40})?$/u

type UnfinishedMention = { start: number; search: string }

/** Returns the mention that a person is typing before the caret: where its @ is, and what follows the @. */
export function unfinishedMention({ text, mentions }: FieldText, caret: number): UnfinishedMention | null {
  const from = mentions.findLast((one) => one.end <= caret)?.end ?? 0
  const match = unfinished.exec(text.slice(from, caret))
  if (!match) return null
  const search = match[1] ?? ''
  return { start: caret - search.length - 1, search }
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
 * Returns the changes that replace each @ and the whole name of an entry after it with a mention. Takes the longest
 * name. Leaves a text as it is if several entries have that name, or if `isRefused` returns true for the position of
 * the @ and the name as it was typed.
 */
export function wholeNames(
  { text, mentions }: FieldText,
  entries: readonly Named[],
  isRefused: (at: number, typed: string) => boolean,
): Change[] {
  const changes: Change[] = []
  for (const { index } of text.matchAll(start)) {
    const isDone = index < (changes.at(-1)?.end ?? 0) || mentions.some((one) => one.start === index)
    const found = isDone || !isPlain(text, index) ? undefined : longest(text.slice(index + 1), entries)
    if (!found || isRefused(index, found.typed)) continue
    changes.push({ start: index, end: index + 1 + found.typed.length, part: mentionText(found.entry) })
  }
  return changes
}

/** Returns whether the position is neither in code nor in the text of a link. */
export function isPlain(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return !isInCode(text, at) && line.lastIndexOf('[') <= line.lastIndexOf(']')
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
