import { Lexer, Marked, type MarkedToken, type Token, type Tokens } from 'marked'
import { readList, readQuote } from '../../../text/markdown/blocks.ts'
import { plainText } from '../../../text/markdown/plain-text.ts'
import { codeTable } from '../code-table.ts'
import { bold, canLink, codeBlock, escapeInline, joinBlocks, linkTo, oneLine, quote } from '../markdown.ts'
import { shortenMarkdown } from '../shorten.ts'
import { inlineMarkup } from './inline-markup.ts'
import { readParagraph, startsTable } from './paragraphs.ts'

const maxNesting = 10
const maxColumns = 20

// Marked reads only the blocks, because it can take seconds for hostile inlines, and overflow the stack in nested quotes.
class BlockLexer extends Lexer {
  override inlineTokens(_source: string, tokens: Token[] = []): Token[] {
    return tokens
  }
}

const { defaults } = new Marked({
  tokenizer: {
    blockquote: readQuote,
    list: readList,
    lheading: () => undefined,
    paragraph: (source) => readParagraph(source) as Tokens.Paragraph,
    table: (source) => (startsTable(source) ? false : undefined), // false: Marked reads it
  },
})

/** Converts the Markdown of GitHub and GitLab to the Markdown of messages, with at most `max` characters. */
export function markupMarkdown(source: string, max: number): string {
  // A picture or a comment can take more characters than what becomes of it.
  const start = source.slice(0, 2 * max).replace(/\r\n?/g, '\n')
  return shortenMarkdown(blocksMarkdown(start, 0), max)
}

function blocksMarkdown(source: string, depth: number): string {
  return joinBlocks(blocksOf(source, depth))
}

function blocksOf(source: string, depth: number): string[] {
  if (depth >= maxNesting) return [inlineMarkup(source)]
  const blocks = new BlockLexer(defaults).lex(source) as MarkedToken[]
  return blocks.map((block) => blockMarkdown(block, depth)).filter((block) => block !== '')
}

function blockMarkdown(block: MarkedToken, depth: number): string {
  switch (block.type) {
    case 'space':
    case 'hr':
      return ''
    case 'def':
      return definitionMarkdown(block)
    case 'heading':
      return headingMarkdown(block.text)
    case 'code':
      return codeBlock(block.text, languageOf(block.lang))
    case 'blockquote':
      return quote(blocksMarkdown(block.text, depth + 1))
    case 'list':
      return listMarkdown(block as Tokens.List, depth)
    case 'table':
      return tableMarkdown(block as Tokens.Table)
    default:
      return inlineMarkup('text' in block ? block.text : block.raw)
  }
}

/** Shows the address of a link that stands elsewhere. Comments are written as definitions, too, without an address. */
function definitionMarkdown({ tag, href }: Tokens.Def): string {
  return canLink(href) ? escapeInline(`[${tag}]: `) + linkTo(href, href) : ''
}

function headingMarkdown(text: string): string {
  const line = oneLine(inlineMarkup(text))
  return line.includes('`') ? bold(line) : bold(line.replaceAll('**', ''))
}

function languageOf(lang = ''): string {
  return /^[\w+#.-]{1,30}/.exec(lang)?.[0] ?? ''
}

function listMarkdown({ ordered, start, loose, items }: Tokens.List, depth: number): string {
  const written = items.map(({ text }, index) => {
    const [box = '', check] = /^\[([ xX])\]\s/.exec(text) ?? []
    const mark = check === undefined ? '' : check === ' ' ? '☐ ' : '☑ '
    const item = mark + blocksOf(text.slice(box.length), depth + 1).join(loose ? '\n\n' : '\n')
    const bullet = ordered ? `${Number(start) + index}. ` : '- '
    return bullet + item.replace(/\n(?=[^\n])/g, `\n${' '.repeat(bullet.length)}`)
  })
  return written.join('\n')
}

function tableMarkdown({ header, rows }: Tokens.Table): string {
  const cells = [header, ...rows].map((row) =>
    row.slice(0, maxColumns).map(({ text }) => oneLine(plainText(inlineMarkup(text), []))),
  )
  return codeTable(cells)
}
