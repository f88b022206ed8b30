import { canParseURL } from '../../platform/can-parse-url.ts'
import { escapeHTML } from './escape.ts'

// RFC 9110 4.1 recommends support for at least 8,000 octets.
const maxURLCharacters = 8000

// As many as cmark allows. Links of dashboards (Kibana, Grafana) nest parentheses in their state.
const maxParentheses = 32

const urlText = /\\[^ \t\n]|[^ \t\n\\()]/.source
let urlParentheses = urlText
for (let depth = 0; depth < maxParentheses; depth += 1) {
  urlParentheses = `${urlText}|\\((?:${urlParentheses})*\\)`
}
const linkURL = `<((?:\\\\.|[^\\\\<>\\n])*)>|((?!<)(?:${urlParentheses}){1,${maxURLCharacters}})|(?=\\))`
const linkTitle = /"(?:\\[\s\S]|[^\\"])*"|'(?:\\[\s\S]|[^\\'])*'|\((?:\\[\s\S]|[^\\()])*\)/.source
export const linkEnd = new RegExp(
  `\\]\\([ \\t\\n]*(?:${linkURL})(?:[ \\t\\n]+(?:${linkTitle}))?[ \\t\\n]*\\)`,
  'y',
)

export function matchAt(rule: RegExp, source: string, at: number): RegExpExecArray | null {
  rule.lastIndex = at
  return rule.exec(source)
}

/** The schemes of mentions, in lower case: a list, or another rule. */
export type MentionSchemes = { includes: (scheme: string) => boolean }

/** Returns the ID that a URL mentions, if its scheme is one of `schemes`. */
export function mentionedID(url: string, schemes: MentionSchemes): string | undefined {
  const [, urlScheme, id] = /^([^:]*):((?:usr|grp|wks)_[0-9A-Za-z]{27})$/.exec(url) ?? []
  return urlScheme !== undefined && schemes.includes(urlScheme.toLowerCase()) ? id : undefined
}

export function linkTag(href: string): string {
  return `<a href="${escapeHTML(href)}" rel="nofollow noopener noreferrer">`
}

/** Returns whether a URL is absolute (WHATWG) and its scheme cannot run code. */
export function isSafeURL(url: string): boolean {
  return /^(?:https?|mailto):/i.test(url) && !/[\s\p{Cc}]/u.test(url) && canParseURL(url)
}

/** Returns the normalized URL if it is safe. */
export function safeURL(url: string): string | undefined {
  return isSafeURL(url) ? new URL(url).href : undefined
}
