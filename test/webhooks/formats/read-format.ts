import { expect } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { renderMarkdown } from '../../../src/text/markdown/render-markdown.ts'
import type { Format, Operation, Settings } from '../../../src/webhooks/formats/format.ts'

export const groupID = 'grp_0ujsswThIGTUYm2K8FjOOfXtY1K'
export const userID = 'usr_0ujzPyRiIAffKhBux4PvQdDqMHY'

export const settings: Settings = {
  groupID,
  mentionScheme: 'skein',
  notifiesResolved: false,
  limits: { textCharacters: 40_000, subjectCharacters: 250 },
}

/** Returns the only operation that a body becomes. */
export function operationOf(format: Format, body: unknown, changes: Partial<Settings> = {}): Operation {
  const reading = format.read({ headers: {}, body, settings: { ...settings, ...changes } })
  if ('skip' in reading) throw new Error(`The format skipped the body: ${reading.skip}`)
  expect(reading.operations).toHaveLength(1)
  return reading.operations[0]
}

/** Returns the code of the AppError that a body is refused with. */
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
  const names = new Map([
    [groupID, 'Builds'],
    [userID, 'Ann'],
  ])
  const html = renderMarkdown(text, { schemes: ['skein'], names })
  return html.replaceAll(' rel="nofollow noopener noreferrer"', '').replaceAll('>\n', '>')
}
