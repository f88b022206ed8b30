import type { WebhookTemplatesInput } from '../../../../generated/console/webhookTemplatesMutation.graphql.ts'

export type TemplateField = keyof WebhookTemplatesInput

/** The fields in the order in which they are shown, with their labels. */
export const templateFields: readonly { field: TemplateField; label: string; description: string }[] = [
  {
    field: 'text',
    label: 'Text',
    description: 'In Markdown. If it writes nothing, there is no message.',
  },
  {
    field: 'threadBy',
    label: 'Key of the thread',
    description:
      'Calls with the same key write into the same thread. Without a key, the messages go to the group chat.',
  },
  {
    field: 'threadSubject',
    label: 'Subject of the thread',
    description: 'For a new thread. Without it, the subject is the key.',
  },
  {
    field: 'uniqueBy',
    label: 'Key of the message',
    description: 'A call with the key of an earlier one updates its message.',
  },
  {
    field: 'version',
    label: 'Version',
    description: 'The order of the calls for one message: a whole number, or a time.',
  },
  { field: 'state', label: 'State', description: 'running, failed or ok.' },
  {
    field: 'notify',
    label: 'Attention',
    description: 'Whether the call asks for attention: new, always or never.',
  },
  {
    field: 'threadClosed',
    label: 'Closing of the thread',
    description: 'true closes the thread, false reopens it, and keep leaves it closed.',
  },
  {
    field: 'threadState',
    label: 'State of the thread',
    description: 'If it is not the state of the message: running, failed or ok.',
  },
  {
    field: 'senderName',
    label: 'Name of the sender',
    description: 'It is shown beside the name of the webhook.',
  },
  { field: 'plain', label: 'Plain text', description: 'true shows the text without Markdown.' },
]

/** The texts of the fields of the form. A field without a template has an empty text. */
export type TemplateValues = Record<TemplateField, string>

export function valuesOf(
  templates: { readonly [Field in TemplateField]?: string | null } | null,
): TemplateValues {
  return Object.fromEntries(
    templateFields.map(({ field }) => [field, templates?.[field] ?? '']),
  ) as TemplateValues
}

export function inputOf(values: TemplateValues): WebhookTemplatesInput {
  return Object.fromEntries(Object.entries(values).filter(([, source]) => source.trim() !== ''))
}
