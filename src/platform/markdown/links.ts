import { escapeHTML } from './escape.ts'

/** RFC 9110 4.1 asks for support of 8,000 octets at least. */
const maxURLCharacters = 8000

const urlText = /\\[^ \t\n]|[^ \t\n\\()]/.source
const urlParentheses = `(?:${urlText}|\\((?:${urlText}|\\((?:${urlText})*\\))*\\))`
const linkURL = `<((?:\\\\.|[^\\\\<>\\n])*)>|((?!<)${urlParentheses}{1,${maxURLCharacters}})|(?=\\))`
const linkTitle = /"(?:\\[\s\S]|[^\\"])*"|'(?:\\[\s\S]|[^\\'])*'|\((?:\\[\s\S]|[^\\()])*\)/.source
export const linkEnd = new RegExp(
  `\\]\\([ \\t\\n]*(?:${linkURL})(?:[ \\t\\n]+(?:${linkTitle}))?[ \\t\\n]*\\)`,
  'y',
)

export function matchAt(rule: RegExp, source: string, at: number): RegExpExecArray | null {
  rule.lastIndex = at
  return rule.exec(source)
}

/** The ID that a URL mentions, if its scheme is one of these, which are in lower case. */
export function mentionedID(url: string, schemes: readonly string[]): string | undefined {
  const [, urlScheme, id] = /^([^:]*):((?:usr|grp|wks)_[0-9A-Za-z]{27})$/.exec(url) ?? []
  return urlScheme !== undefined && schemes.includes(urlScheme.toLowerCase()) ? id : undefined
}

export function linkTag(href: string): string {
  return `<a href="${escapeHTML(href)}" rel="nofollow noopener noreferrer">`
}

/** The URL as the WHATWG URL standard writes it, if it is absolute and of a scheme that runs nothing. */
export function safeURL(url: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
}
