import { renderMarkdown } from './markdown/render-markdown.ts'

// Unicode has no property for the Braille blank and the musical null notehead, which show nothing either.
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800\u{1d159}])[^\p{Cc}\p{Cf}\p{Z}\s]/u
const visibleStart = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u

/** Returns whether a reader of the text sees nothing. */
export function isBlank(text: string): boolean {
  return !visible.test(text)
}

/** Returns whether a reader of the rendered Markdown sees nothing. The mark of a list item is something to see. */
export function isBlankMarkdown(source: string): boolean {
  if (visibleStart.test(source)) return false
  // Without schemes, a mention is literal text, and therefore visible.
  const html = renderMarkdown(source, { schemes: [], names: new Map() })
  return !html.includes('<li>') && isBlank(html.replace(/<[^>]*>/g, ''))
}
