import { isBlank } from '../blank.ts'
import { renderMarkdown } from './render-markdown.ts'

const visibleStart = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u

/** Returns whether a reader of the rendered Markdown sees nothing. The mark of a list item is something to see. */
export function isBlankMarkdown(source: string): boolean {
  if (visibleStart.test(source)) return false
  // A reader who cannot see the mentioned user or group sees only the label, whatever the scheme is.
  const html = renderMarkdown(source, { schemes: { includes: () => true }, names: new Map() })
  return !html.includes('<li>') && isBlank(html.replace(/<[^>]*>/g, ''))
}
