/** An emoji. People type one of its names between colons: `:tada:`. */
export type Emoji = { emoji: string; label: string; tags: readonly string[]; names?: readonly string[] }

export type EmojiName = { emoji: string; name: string }

const most = 80
const name = '(?:[+-]1|[a-z0-9][a-z0-9_+-]+)'
const unfinished = new RegExp(`(?<![^\\s(]):(${name})$`, 'i')
const whole = new RegExp(`(?<![\\w:]):(${name}):(?![\\w:])`, 'gi')

/** Returns the name of an emoji that a person is typing at the end of the text. */
export function unfinishedName(before: string): { start: number; search: string } | null {
  const match = unfinished.exec(before)
  return match ? { start: match.index, search: match[1] ?? '' } : null
}

/** Returns the emoji names that are between colons in the text, with the positions of the colons. */
export function wholeNamesIn(text: string): { start: number; end: number; name: string }[] {
  return [...text.matchAll(whole)].map(({ 0: typed, 1: found = '', index }) => ({
    start: index,
    end: index + typed.length,
    name: found,
  }))
}

/** Finds emoji by name: the exact name first, then names that start with the text, then names that contain it. */
export function namesLike(all: readonly Emoji[], text: string): EmojiName[] {
  const search = keyOf(text)
  return best(all, (emoji) => bestName(emoji, search)).map(({ item, found }) => ({
    emoji: item.emoji,
    name: found.name,
  }))
}

/** Finds emoji by name, and then by the words that describe them. */
export function emojiLike<E extends Emoji>(all: readonly E[], text: string): E[] {
  const search = keyOf(text)
  const found = best(all, (emoji) => bestName(emoji, search) ?? bestTag(emoji, search))
  return found.map(({ item }) => item).slice(0, most)
}

/** Returns the emoji with exactly this name. */
export function emojiNamed(all: readonly Emoji[], text: string): string | undefined {
  const [first] = namesLike(all, text)
  return first && keyOf(first.name) === keyOf(text) ? first.emoji : undefined
}

type Match = { rank: number; name: string }

function best<E, M extends { rank: number }>(all: readonly E[], match: (item: E) => M | undefined) {
  const found = all.flatMap((item) => {
    const one = match(item)
    return one ? [{ item, found: one }] : []
  })
  return found.toSorted((one, other) => one.found.rank - other.found.rank)
}

function bestName({ label, names = [] }: Emoji, search: string): Match | undefined {
  return bestOf([...names, label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')], search, 0)
}

function bestTag({ tags }: Emoji, search: string): Match | undefined {
  return bestOf(tags, search, 3)
}

function bestOf(names: readonly string[], search: string, worse: number): Match | undefined {
  const found = names.flatMap((one) => {
    const at = keyOf(one).indexOf(search)
    if (at < 0 || search === '') return []
    const rank = at > 0 ? 2 : keyOf(one) === search ? 0 : 1
    return [{ rank: rank + worse, name: one }]
  })
  return found.toSorted((one, other) => one.rank - other.rank)[0]
}

function keyOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
}
