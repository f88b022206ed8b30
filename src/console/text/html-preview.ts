const [longestHTML, longestText] = [10_000, 300]

/** Returns the beginning of the HTML of a message as one line of text. Mentions appear as names. */
export function htmlPreview(html: string): string {
  // A document that DOMParser creates runs no scripts and loads nothing.
  const lines = html.slice(0, longestHTML).replaceAll('<br>', '<br> ')
  const { body } = new DOMParser().parseFromString(lines, 'text/html')
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, longestText)
}

/** Returns the beginning of a text, up to the last word that fits. */
export function excerpt(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length).replace(/\s+\S*$/, '')}…`
}
