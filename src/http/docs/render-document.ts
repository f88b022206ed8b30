import { dirname, join } from 'node:path'
import { Marked, Renderer, type Tokens } from 'marked'
import { escapeHTML } from '../../text/markdown/escape.ts'
import { icon } from '../pages/icon.ts'
import { type DocumentPage, urlPathOf } from './pages.ts'

const plain = new Renderer()

/** Values for `$(starter name)` in the examples. A name without a value stays as it is. */
export type Examples = Readonly<Record<string, string>>

/** The headings of the second level are for a list of contents. `html` is their text. */
export type RenderedDocument = { html: string; headings: { anchor: string; html: string }[] }

/** Renders a document as HTML, with GitHub's anchors, links to the other pages, and the values in the examples. */
export function renderDocument(page: DocumentPage, source: string, examples: Examples): RenderedDocument {
  const headings: RenderedDocument['headings'] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens)
        const anchor = anchorOf(text)
        if (depth === 2) headings.push({ anchor, html: text })
        return `<h${depth} id="${anchor}">${text}</h${depth}>\n`
      },
      // Wide parts scroll. With a tabindex, they do so by keyboard, too.
      code({ text, lang = '' }) {
        return `<div class="code" data-language="${escapeHTML(lang)}"><pre tabindex="0"><code>${escapeHTML(text)}</code></pre>${codeBar(lang)}</div>\n`
      },
      table(token) {
        return `<div class="scroll" tabindex="0">${plain.table.call(this, token)}</div>\n`
      },
    },
    walkTokens: (token) => {
      if (token.type === 'link') token.href = linkFrom(page, (token as Tokens.Link).href)
      if (token.type === 'code') token.text = withExamples((token as Tokens.Code).text, examples)
    },
  })
  const html = marked.parse(source, { async: false })
  return { html, headings }
}

/** Names the language of a block. A script shows the button, and says beside it what came of a press. */
function codeBar(language: string): string {
  const name = language === 'sh' ? 'shell' : language
  return `<div class="code-bar"><span class="language">${escapeHTML(name)}</span><span aria-live="polite"></span><button type="button" aria-label="Copy code" title="Copy code" hidden>${icon('copy').html}</button></div>`
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
