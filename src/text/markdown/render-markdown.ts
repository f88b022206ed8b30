import { Marked, type MarkedToken, type Token, type Tokens } from 'marked'
import { readList, readParagraph, readQuote, startsFence, textOnly } from './blocks.ts'
import { escapeHTML, escapeText } from './escape.ts'
import { readInline } from './inline.ts'
import type { MentionSchemes } from './links.ts'
import { maxNesting, writePieces } from './pieces.ts'

// Our own code reads quotes, lists and inlines, in linear time. Marked can take 15 seconds for 40,000 characters.

/** Renders Markdown (a part of CommonMark 0.31, and GFM strikethrough) as HTML that is safe to embed. Never throws. */
export function renderMarkdown(
  source: string,
  options: { schemes: MentionSchemes; names: ReadonlyMap<string, string> },
): string {
  try {
    const inline = (text: string) => writePieces(readInline(text, options.schemes), options.names)
    return marked.parser(readBlocks(source, inline)).trimEnd()
  } catch {
    // A regular expression can run out of stack at some millions of characters.
    return `<p>${escapeText(source)}</p>`
  }
}

/** Returns the IDs mentioned outside of code, each once, in order. Never throws. */
export function mentionedIDs(source: string, schemes: readonly string[]): string[] {
  const ids = new Set<string>()
  const inline = (text: string) => {
    for (const piece of readInline(text, schemes)) if (piece.kind === 'mention') ids.add(piece.id)
    return ''
  }
  try {
    readBlocks(source, inline)
  } catch {
    return [] // renderMarkdown shows the source as text
  }
  return [...ids]
}

const unsupported = () => undefined

const marked = new Marked({
  tokenizer: {
    code: unsupported,
    heading: unsupported,
    hr: unsupported,
    html: unsupported,
    def: unsupported,
    table: unsupported,
    lheading: unsupported,
    fences: (source) => (startsFence.test(source) ? false : undefined), // false: Marked reads it
    blockquote: readQuote,
    list: readList,
    paragraph: readParagraph,
  },
  extensions: [{ name: 'inline', renderer: (token) => token.text }],
  renderer: { code: writeCode },
})

export type Inline = (text: string) => string

export function readBlocks(source: string, inline: Inline, depth = 0): Token[] {
  const blocks = depth >= maxNesting ? [textOnly(source)] : marked.lexer(source)
  // The lexer returns only paragraphs, quotes, lists, `code` and `space`.
  for (const block of blocks as MarkedToken[]) {
    if (block.type === 'paragraph')
      block.tokens = [{ type: 'inline', raw: block.raw, text: inline(block.text) }]
    if (block.type === 'blockquote') block.tokens = readBlocks(block.text, inline, depth + 1)
    if (block.type === 'list') readItemBlocks(block, inline, depth + 1)
  }
  return blocks
}

// A list is loose (its items have paragraphs) if a blank line is between its items or their blocks (CommonMark 5.3).
function readItemBlocks(list: Tokens.List, inline: Inline, depth: number): void {
  for (const item of list.items) {
    item.tokens = readBlocks(item.text, inline, depth)
    list.loose ||= item.tokens.some(({ type }, index) => type === 'space' && index > 0)
  }
  if (list.loose) return
  for (const item of list.items) {
    item.tokens = item.tokens.map((block) =>
      block.type === 'paragraph' ? { ...block, type: 'text' } : block,
    )
  }
}

function writeCode({ text, lang = '' }: Tokens.Code): string {
  const language = lang.split(/\s/, 1)[0]
  const attribute = language ? ` class="language-${escapeHTML(language)}"` : ''
  return `<pre><code${attribute}>${escapeHTML(text && `${text.replace(/\n$/, '')}\n`)}</code></pre>\n`
}
