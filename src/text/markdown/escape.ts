export const escaped = /\\([!-/:-@[-`{-~])/g // CommonMark 2.4

export function unescapeMarkdown(text: string): string {
  return text.replace(escaped, '$1')
}

/** Escapes HTML and keeps line breaks, because in a message they are intended. */
export function escapeText(text: string): string {
  return escapeHTML(text).replaceAll('\n', '<br>')
}

export function escapeHTML(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
