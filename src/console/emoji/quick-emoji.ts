const mostQuick = 3
const usual = ['👍', '✅', '👀']
/** A person has used another emoji more often than this before it replaces a usual one. */
const headStart = 2

/**
 * Returns the emoji that are offered as reactions. `stored` has the number of uses of each emoji. Each emoji keeps its
 * place, because people learn where it is.
 */
export function quickEmoji(stored: string | null): string[] {
  const counts = readCounts(stored)
  const all = [...new Set([...usual, ...[...counts.keys()].toSorted()])]
  const weightOf = (emoji: string) => (counts.get(emoji) ?? 0) + (usual.includes(emoji) ? headStart : 0)
  const chosen = all.toSorted((one, other) => weightOf(other) - weightOf(one)).slice(0, mostQuick)
  return all.filter((emoji) => chosen.includes(emoji))
}

export function readCounts(stored: string | null): Map<string, number> {
  const words = wordsOf(stored)
  const pairs = words.flatMap((emoji, index): [string, number][] =>
    index % 2 === 0 ? [[emoji, Number(words[index + 1]) || 0]] : [],
  )
  return new Map(pairs)
}

export function wordsOf(stored: string | null): string[] {
  return (stored ?? '').split(' ').filter(Boolean)
}
