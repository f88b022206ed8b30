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
