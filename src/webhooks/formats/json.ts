import { isBlank } from '../../text/blank.ts'
import type { Format, Operation, Settings } from './format.ts'
import { jsonExcerpt } from './json-excerpt.ts'
import { stateOfBody } from './json-state.ts'
import { type Fields, fieldsOf, isObject, textOf, withoutNUL } from './json-values.ts'
import {
  bold,
  canLink,
  codeBlock,
  escapeInline,
  joinBlocks,
  linkTo,
  oneLine,
  plainMarkdown,
} from './markdown.ts'
import { shortenMarkdown } from './shorten.ts'

const textFields = ['text', 'message', 'body', 'content', 'msg', 'summary']
const titleFields = ['title', 'subject']

/** The format of flat JSON bodies of unknown shape, such as those of Apprise, Healthchecks and Uptime Kuma. */
export const json: Format = {
  name: 'json',
  // The plain URL also has a text, and its errors explain it better.
  recognizes: (body) =>
    !('text' in fieldsOf(body)) && firstText(fieldsOf(body), [...titleFields, ...textFields]) !== undefined,
  read: ({ body, settings }) =>
    isEmpty(body) ? { skip: 'The body is empty.' } : { operations: [operationOf(body, settings)] },
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return isBlank(value)
  return value == null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function operationOf(body: unknown, { limits }: Settings): Operation {
  const found = stateOfBody(fieldsOf(body))
  const markdown = isObject(body) ? objectMarkdown(body, found?.fields) : valueMarkdown(body)
  const text = shortenMarkdown(withoutNUL(markdown), limits.textCharacters)
  return { text, ...(found?.state && { state: found.state }) }
}

function valueMarkdown(body: unknown): string {
  return Array.isArray(body) ? withoutText(body) : plainMarkdown(textOf(body))
}

function objectMarkdown(body: Fields, stateFields: readonly string[] = []): string {
  const title = firstText(body, titleFields)
  const text = firstText(body, textFields)
  if (!title && !text) return withoutText(body)
  const url = textOf(body.url)
  const isLink = canLink(url)
  const heading = title && bold(isLink ? linkTo(title.value, url) : escapeInline(oneLine(title.value)))
  const shown = [title?.name, text?.name, isLink && 'url', isFromApprise(body) && 'version', ...stateFields]
  const others = Object.entries(body).filter(([name, value]) => !shown.includes(name) && !isEmpty(value))
  return joinBlocks([
    [heading, text && plainMarkdown(text.value.trim())].filter((part) => part !== undefined).join('\n'),
    isLink && !title ? linkTo('', url) : '',
    others.length > 0 ? codeOf(Object.fromEntries(others)) : '',
  ])
}

function firstText(body: Fields, names: readonly string[]): { name: string; value: string } | undefined {
  return names
    .map((name) => ({ name, value: isObject(body[name]) ? '' : textOf(body[name]) }))
    .find(({ value }) => !isBlank(value))
}

// Apprise sends the version of its body.
function isFromApprise(body: Fields): boolean {
  return ['version', 'title', 'message', 'type'].every((name) => typeof body[name] === 'string')
}

function withoutText(body: unknown): string {
  return joinBlocks(['_A JSON body without text._', codeOf(body)])
}

function codeOf(value: unknown): string {
  return codeBlock(JSON.stringify(jsonExcerpt(value), null, 2), 'json')
}
