/** The fields that have other names on the page. */
const shownNames: Record<string, string> = { avatarURL: 'picture URL' }

/** Returns the name of a field of the API in plain words, for example "recipients" for "thread.recipientIDs.0". */
export function fieldName(path: string): string {
  const field = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? path
  const shown = shownNames[field]
  if (shown !== undefined) return shown
  return field
    .replace(/([a-z])ID(s?)$/, '$1$2')
    .replace(/^ur([il]s?)$/, (_, end) => `UR${end.charAt(0).toUpperCase()}${end.slice(1)}`)
    .replace(
      /([a-z])([A-Z][a-z]*)/g,
      (_, before, word) => `${before} ${/[a-z]{2}/.test(word) ? word.toLowerCase() : word}`,
    )
}
