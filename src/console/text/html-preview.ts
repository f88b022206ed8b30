const [longestHTML, longestText] = [10_000, 300]

/** Returns the beginning of the HTML of a message as one line of text. Mentions appear as names. */
export function htmlPreview(html: string): string {
  // A document that DOMParser creates runs no scripts and loads nothing.
  const lines = html.slice(0, longestHTML).replaceAll('<br>', '<br> ').replaceAll('<li>', '<li>• ')
  const { body } = new DOMParser().parseFromString(lines, 'text/html')
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, longestText)
}

/** Returns the names of the users and groups that the HTML of a message mentions, by ID. */
export function mentionedNames(html: string): ReadonlyMap<string, string> {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const mentions = [...body.querySelectorAll<HTMLElement>('.mention[data-id]')]
  return new Map(
    mentions.map(({ dataset, textContent }) => [dataset.id ?? '', textContent.replace(/^@/, '')]),
  )
}

/** Returns the beginning of a text, up to the last word that fits. */
export function excerpt(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length).replace(/\s+\S*$/, '')}…`
}
