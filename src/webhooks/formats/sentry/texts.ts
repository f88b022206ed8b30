import { cleanText } from '../alerts/alert-text.ts'
import { bold, canLink, escapeInline, linkTo, oneLine, plainMarkdown } from '../markdown.ts'
import { shorten } from '../shorten.ts'

const maxCharacters = 1000
const maxURLCharacters = 4000

/** Returns a JSON value as one line that is not too long. */
export function lineOf(value: unknown): string {
  return shorten(oneLine(cleanText(value)), maxCharacters)
}

/** Returns the bold title of a message, which is a link if the URL is one of the web. */
export function titleLine(title: string, url: unknown, addition = ''): string {
  const link = cleanText(url)
  const isLink = /^https?:/i.test(link) && link.length <= maxURLCharacters && canLink(link)
  return (
    bold(isLink ? linkTo(title, link) : escapeInline(title)) + (addition && ` (${plainMarkdown(addition)})`)
  )
}

/** Returns pairs of a name and a value as one line, without those that have no value. */
export function factsLine(facts: Record<string, unknown>): string {
  const known = Object.entries(facts)
    .map(([name, value]) => [name, lineOf(value)] as const)
    .filter(([, value]) => value !== '')
  return plainMarkdown(known.map((fact) => fact.join(': ')).join(' · '))
}

/** Joins the lines of a message. */
export function messageText(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n')
}
