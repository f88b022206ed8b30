import { z } from 'zod'
import { checkTemplate } from '../../text/templates/render-template.ts'
import { TemplateProblem } from '../../text/templates/template-problem.ts'

/** The fields of a message that a template can write. The target and mentions are no choice of a body. */
export const templateFields = [
  'text',
  'threadBy',
  'threadSubject',
  'uniqueBy',
  'version',
  'state',
  'notify',
  'threadClosed',
  'threadState',
  'senderName',
  'plain',
] as const
export type TemplateField = (typeof templateFields)[number]

/** The templates of a webhook, in Liquid. A field without one is left out. */
export type WebhookTemplates = { [Field in TemplateField]?: string }

export const templateLimits = { characters: 8000, charactersInAll: 32_000 }

const template = z
  .string('must be a text')
  .max(
    templateLimits.characters,
    `must have at most ${templateLimits.characters.toLocaleString('en')} characters`,
  )
  .refine((source) => !source.includes('\0'), 'must not contain NUL characters')
  .transform((source) => source.toWellFormed())
  .superRefine((source, context) => {
    const message = problemOf(source)
    if (message) context.addIssue(message)
  })
  .nullish()

/** Accepts the templates of a webhook, each of which can be parsed. Returns null if there are none. */
export const templates = z
  .object(Object.fromEntries(templateFields.map((field) => [field, template])))
  .transform((given) => {
    const entries = Object.entries(given).filter(([, source]) => source != null && source.trim() !== '')
    return entries.length === 0 ? null : (Object.fromEntries(entries) as WebhookTemplates)
  })
  .refine(
    (given) => Object.values(given ?? {}).join('').length <= templateLimits.charactersInAll,
    `must have at most ${templateLimits.charactersInAll.toLocaleString('en')} characters together`,
  )

function problemOf(source: string): string | undefined {
  try {
    checkTemplate(source)
    return undefined
  } catch (error) {
    if (error instanceof TemplateProblem) return problemText(error)
    throw error
  }
}

/** Returns a problem as the end of a sentence that begins with the name of the field. */
export function problemText({ line, reason }: TemplateProblem): string {
  return line === undefined ? `has a problem: ${reason}` : `has a problem in line ${line}: ${reason}`
}
