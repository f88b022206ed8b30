import { templateFields, type WebhookTemplates } from '../apps/webhooks/templates.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Previewed } from '../messages/webhook-calls/preview-call.ts'
import { fitted } from './formats/run-format.ts'
import { template } from './formats/template.ts'
import { parseFields } from './payload.ts'

const nothing: Previewed = { fields: [], skipped: null, ignored: [], problems: [] }
/** The preview shows what is written to a group. In a thread, the fields about threads have no effect. */
const groupID = 'grp_000000000000000000000000000'

/** Returns what a call with this body would write, if the webhook had these templates. */
export function previewTemplates(
  { limits, mentionSchemes }: Config,
  templates: WebhookTemplates,
  body: unknown,
): Previewed {
  try {
    const settings = {
      groupID,
      mentionScheme: String(mentionSchemes[0]),
      notifiesResolved: false,
      templates,
      limits,
    }
    const reading = template.read({ headers: {}, body, settings })
    if ('skip' in reading) return { ...nothing, skipped: reading.skip }
    const written: Record<string, unknown> = fitted(reading.operations[0], limits)
    const { ignored } = parseFields(limits, { ...written, target: groupID })
    const fields = templateFields.filter((field) => written[field] !== undefined && !ignored.includes(field))
    return { ...nothing, ignored, fields: fields.map((field) => ({ field, value: String(written[field]) })) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...nothing, problems: problemsOf(error) }
  }
}

function problemsOf({ errors, message }: AppError) {
  if (errors.length === 0) return [{ field: 'body', message }]
  return errors.map(({ field, message }) => ({ field: field.replace(/^templates\./, ''), message }))
}
