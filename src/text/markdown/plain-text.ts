import type { Token } from 'marked'
import { isBlank } from '../blank.ts'
import { unescapeMarkdown } from './escape.ts'
import { readInline } from './inline.ts'
import { type Piece, partsOf } from './pieces.ts'
import { readBlocks, renderMarkdown } from './render-markdown.ts'

// A fast path for most messages: one line that begins with a letter and contains no character of Markdown syntax.
const isPlain = /^\p{L}[^\n\r\\`*_~[\]<>]*$/u

/**
 * Returns the text of a message without Markdown syntax. Links become their labels. List items begin with a bullet. A mention whose ID is in `names`
 * becomes `@` and the name. Never throws.
 */
export function plainText(
  source: string,
  schemes: readonly string[],
  names: ReadonlyMap<string, string> = new Map(),
): string {
  if (isPlain.test(source)) return source.trimEnd()
  try {
    return textsIn(readBlocks(source, (text) => textOf(readInline(text, schemes), names))).join('\n')
  } catch {
    return source // renderMarkdown shows the source as text, too
  }
}

function textsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token): string[] => {
    if (token.type === 'list') return token.items.flatMap(itemTexts)
    if (token.type === 'inline' || token.type === 'code') return [token.text]
    return textsIn(tokensOf(token))
  })
}

/** Items begin with a bullet. Otherwise, they would run together where the text is shown on one line. */
function itemTexts(item: Token): string[] {
  const [first = '', ...others] = textsIn(tokensOf(item))
  return [`• ${first}`, ...others]
}

function tokensOf(token: Token): Token[] {
  return 'tokens' in token ? (token.tokens ?? []) : []
}

function textOf(pieces: Piece[], names: ReadonlyMap<string, string>): string {
  return pieces
    .flatMap(partsOf)
    .map((part) => {
      if (part.kind === 'mention') {
        const name = names.get(part.id)
        return name === undefined ? unescapeMarkdown(part.label) : `@${name}`
      }
      return part.kind === 'text' || part.kind === 'code' ? part.text : ''
    })
    .join('')
}

// One or two marks of emphasis before a letter hide nothing: they are markup or text.
const visibleStart = /^[*_~]{0,2}(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u

/** Returns whether a reader of the rendered Markdown sees nothing. The mark of a list item is something to see. */
export function isBlankMarkdown(source: string): boolean {
  if (visibleStart.test(source)) return false
  // A reader who cannot see the mentioned user or group sees only the label, whatever the scheme is.
  const html = renderMarkdown(source, { schemes: { includes: () => true }, names: new Map() })
  return !html.includes('<li>') && isBlank(html.replace(/<[^>]*>/g, ''))
}
