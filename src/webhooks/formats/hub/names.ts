import { cleanText, webLink } from '../alerts/alert-text.ts'
import { escapeInline, oneLine } from '../markdown.ts'
import { shorten } from '../shorten.ts'

const maxCharacters = 250

/** Returns a JSON value as a name: one line that is not long. It is no Markdown. */
export function nameOf(value: unknown): string {
  return shorten(oneLine(cleanText(value)), maxCharacters)
}

/** Returns the first characters of the hash of a commit. */
export function shortHash(value: unknown): string {
  return cleanText(value).slice(0, 7).toWellFormed()
}

/** Returns a link to the web, or the label alone if the URL is none. */
export function linkOr(label: string, url: unknown): string {
  return webLink(label, url) || escapeInline(oneLine(label))
}
