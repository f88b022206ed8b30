import { dirname, join } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { type DocumentPage, urlPathOf } from './pages.ts'

/** Values for `$(starter name)` in the examples. A name without a value stays as it is. */
export type Examples = Readonly<Record<string, string>>

/** Renders a document as HTML, with GitHub's anchors, links to the other pages, and the values in the examples. */
export function renderDocument(page: DocumentPage, source: string, examples: Examples): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens)
        return `<h${depth} id="${anchorOf(text)}">${text}</h${depth}>\n`
      },
    },
    walkTokens: (token) => {
      if (token.type === 'link') token.href = linkFrom(page, (token as Tokens.Link).href)
      if (token.type === 'code') token.text = withExamples((token as Tokens.Code).text, examples)
    },
  })
  return marked.parse(source, { async: false })
}

function anchorOf(html: string): string {
  const text = html.replace(/<[^>]*>|&[a-z#\d]+;/g, '')
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

function linkFrom({ file }: DocumentPage, href: string): string {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const urlPath = urlPathOf(join(dirname(file), path).replace(/\/$/, ''))
  if (urlPath === undefined) return href
  return fragment === undefined ? urlPath : `${urlPath}#${fragment}`
}

function withExamples(code: string, examples: Examples): string {
  return code.replace(/\$\(starter '?([\w[\]]+)'?\)/g, (whole, name: string) => examples[name] ?? whole)
}
