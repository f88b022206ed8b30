const punctuation = /[!-/:-@[-`{-~]/g

/** Returns a PostgreSQL regular expression for texts in which a word starts with `start`. Takes `start` literally. */
export function wordStartPattern(start: string): string {
  const literal = start.replace(punctuation, '\\$&').replace(/\s+/g, '[[:space:]]+')
  return `(^|[[:space:][:punct:]])${literal}`
}
