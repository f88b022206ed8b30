import querystring from 'node:querystring'
import { templates as templatesInput, type WebhookTemplates } from '../../apps/webhooks/templates.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { FieldError } from '../../errors.ts'
import { inTurns } from '../../platform/scheduling/in-turns.ts'
import { renderHTML } from '../render-html.ts'
import type { StoredContent } from './call-content.ts'
import { contentOf, type VisibleCall } from './list-calls.ts'

/** What templates make of a body. */
export type Previewed = {
  fields: { field: string; value: string }[]
  skipped: string | null
  ignored: string[]
  problems: FieldError[]
}

/** The transport reads the body as if it had just arrived. */
export type Preview = (config: Config, templates: WebhookTemplates, body: unknown) => Previewed

/** The templates can take as long as reading this many characters, whatever the body is. Each takes its own turn. */
const charactersPerPreview = 300_000

/** Tries templates with the body of a call that the caller can see. Writes nothing. */
export async function previewCall(ctx: Context, call: VisibleCall, input: unknown, preview: Preview) {
  const content = await contentOf(ctx, call)
  if (!content) return null
  const characters = charactersPerPreview + content.body.length
  const { fields, ...previewed } = await inTurns(ctx.db, characters, () =>
    previewOf(ctx.config, content, input, preview),
  )
  const valueIn = (name: string) => fields.find(({ field }) => field === name)?.value
  const text = valueIn('text')
  const { workspaceID } = call
  const message = {
    workspaceID,
    text: text ?? '',
    allowMentions: false,
    isPlain: valueIn('plain') === 'true',
  }
  return { ...previewed, fields, html: text === undefined ? null : await renderHTML(ctx, message) }
}

function previewOf(config: Config, content: StoredContent, input: unknown, preview: Preview): Previewed {
  const { data: templates, error } = templatesInput.safeParse(input)
  if (error)
    return withProblems(
      error.issues.map(({ path, message }) => ({ field: path.join('.') || 'text', message })),
    )
  if (!templates?.text) return withProblems([{ field: 'text', message: 'must not be blank' }])
  const body = bodyOf(content)
  if (body === unreadable)
    return withProblems([
      { field: 'body', message: 'is not stored as a whole, or is neither JSON nor a form' },
    ])
  return preview(config, templates, body)
}

function withProblems(problems: FieldError[]): Previewed {
  return { fields: [], skipped: null, ignored: [], problems }
}

const unreadable = Symbol('unreadable')

function bodyOf({ contentType, body, isCut }: StoredContent): unknown {
  if (isCut) return unreadable
  if (contentType === 'application/x-www-form-urlencoded') return { ...querystring.parse(body) }
  try {
    return JSON.parse(body)
  } catch {
    return unreadable
  }
}
