import { expect } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { isBlankMarkdown } from '../../../src/text/markdown/plain-text.ts'
import { mentionedIDs, renderMarkdown } from '../../../src/text/markdown/render-markdown.ts'
import type { Format, Operation, Settings } from '../../../src/webhooks/formats/format.ts'

export const groupID = 'grp_0ujsswThIGTUYm2K8FjOOfXtY1K'
export const userID = 'usr_0ujzPyRiIAffKhBux4PvQdDqMHY'

const names = new Map([
  [groupID, 'Builds'],
  [userID, 'Ann'],
])

export const settings: Settings = {
  groupID,
  mentionScheme: 'skein',
  notifiesResolved: false,
  templates: null,
  limits: { textCharacters: 40_000, subjectCharacters: 250 },
}

/** Returns the operations that a body becomes. */
export function operationsOf(format: Format, body: unknown, changes: Partial<Settings> = {}): Operation[] {
  const reading = format.read({ headers: {}, body, settings: { ...settings, ...changes } })
  if ('skip' in reading) throw new Error(`The format skipped the body: ${reading.skip}`)
  return reading.operations
}

/** Returns the only operation that a body becomes. */
export function operationOf(...args: Parameters<typeof operationsOf>): Operation {
  const [operation, ...others] = operationsOf(...args)
  expect(others).toEqual([])
  if (!operation) throw new Error('The body became no operation')
  return operation
}

/** Returns the AppError that a body is refused with. */
export function refusalOf(format: Format, body: unknown): AppError {
  try {
    format.read({ headers: {}, body, settings })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('The format did not refuse the body')
}

/** Renders the text of a message as HTML, without the attributes of links and line ends after tags. */
export function htmlOf({ text }: Operation): string {
  const mentioned = mentionedIDs(text, ['skein']).map((id) => [id, names.get(id) ?? 'somebody'] as const)
  const html = renderMarkdown(text, { schemes: ['skein'], names: new Map(mentioned) })
  return html.replaceAll(' rel="nofollow noopener noreferrer"', '').replaceAll('>\n', '>')
}

/** Returns what the plain URL would refuse about an operation, and markup that a payload could have made. */
export function faultsOf(operation: Operation, { limits }: Settings): string[] {
  const { text, uniqueBy, threadBy, threadSubject } = operation
  const keys = [uniqueBy, threadBy, threadSubject].filter((key) => key !== undefined)
  const html = htmlOf(operation)
  const tags = new Set([...html.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag))
  const faults = {
    'long text': [...text].length > limits.textCharacters,
    'blank text': isBlankMarkdown(text),
    'long subject': [...(threadSubject ?? '')].length > limits.subjectCharacters,
    'empty key': keys.includes(''),
    'text that PostgreSQL refuses': [text, ...keys].some(
      (value) => value.includes('\0') || !value.isWellFormed(),
    ),
    'a subject of several lines': /\n/.test(threadSubject ?? ''),
    mention: html.includes('mention'),
    markup: [...tags].some((tag) => !['p', 'br', 'strong', 'a', 'ul', 'li'].includes(tag ?? '')),
    'link that is not to the web': [...html.matchAll(/href="([^"]*)"/g)].some(
      ([, url]) => !/^https?:/.test(url ?? ''),
    ),
  }
  return Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [fault] : []))
}
