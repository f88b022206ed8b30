import { problemText, type TemplateField, type WebhookTemplates } from '../../apps/webhooks/templates.ts'
import { AppError, invalidField } from '../../errors.ts'
import { isBlank } from '../../text/blank.ts'
import { Budget, OutOfTime } from '../../text/templates/budget.ts'
import { renderTemplate } from '../../text/templates/render-template.ts'
import type { Markup } from '../../text/templates/template-context.ts'
import { TemplateProblem } from '../../text/templates/template-problem.ts'
import type { Format, Operation, Request } from './format.ts'
import { withoutNUL } from './json-values.ts'
import { codeBlock, inlineCode, linkTo, oneLine, plainMarkdownAnywhere } from './markdown.ts'
import { senderNameOf } from './sender-name.ts'
import { shortenMarkdown } from './shorten.ts'

/** The format of a webhook that has its own templates. */
export const template: Format = {
  name: 'template',
  recognizes: () => false,
  read: ({ body, settings }) => {
    const { templates, limits, groupID } = settings
    if (!templates?.text)
      throw invalidField(
        'templates.text',
        'is missing: set the template of the text in the settings of the webhook',
      )
    const render = renderer(templates, body)
    const isPlain = render('plain') === 'true'
    const text = withoutNUL(render('text', isPlain ? asText : asMarkdown))
    if (isBlank(text)) return { skip: 'The template of the text wrote nothing.' }
    const shortened = isPlain ? text : shortenMarkdown(text, limits.textCharacters)
    return { operations: [{ text: shortened, ...fieldsOf(render, groupID !== undefined) }] }
  },
}

type Render = (field: TemplateField, markup?: Markup) => string

/** Returns a function that renders a template without the blanks around it. All fields together have one budget. */
function renderer(templates: WebhookTemplates, body: Request['body']): Render {
  const budget = new Budget()
  return (field, markup = asText) => {
    const source = templates[field]
    if (source === undefined) return ''
    try {
      return renderTemplate(source, { body, budget, markup }).trim()
    } catch (error) {
      throw callProblem(field, error)
    }
  }
}

function callProblem(field: TemplateField, error: unknown): unknown {
  if (error instanceof TemplateProblem) return invalidField(`templates.${field}`, problemText(error))
  if (!(error instanceof OutOfTime)) return error
  return new AppError('timeout', 'The templates of the webhook took longer than a second. Try again later.', {
    cause: error,
    retryAfterSeconds: 5,
  })
}

const asText: Markup = {
  value: (text) => text,
  code: (text) => text,
  link: (label, url) => (isBlank(url) || label === url ? label : `${label} (${url})`.trim()),
}

const asMarkdown: Markup = {
  value: plainMarkdownAnywhere,
  code: (text, language) => {
    const lines = text.replace(/\r\n?/g, '\n')
    if (isBlank(lines)) return ''
    return lines.includes('\n') || language ? `\n${codeBlock(lines, language)}\n` : inlineCode(lines)
  },
  link: (label, url) => (isBlank(url) ? plainMarkdownAnywhere(oneLine(label)) : linkTo(label, url)),
}

/** Returns the other fields as text. The reader of the plain URL leaves out and names those that are not valid. */
function fieldsOf(render: Render, isInGroup: boolean): Partial<Operation> {
  const threadBy = isInGroup ? render('threadBy') : ''
  const subject = isInGroup ? oneLine(render('threadSubject')) : ''
  const fields = {
    threadBy,
    threadSubject: isBlank(subject) ? oneLine(threadBy) : subject,
    uniqueBy: render('uniqueBy'),
    version: render('version'),
    state: render('state'),
    notify: render('notify'),
    threadClosed: render('threadClosed'),
    threadState: render('threadState'),
    ...senderNameOf(render('senderName')),
    plain: render('plain'),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isBlank(value)))
}
