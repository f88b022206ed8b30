import { Anchor, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { webhookTemplates_webhook$key } from '../../../../generated/console/webhookTemplates_webhook.graphql.ts'
import type { webhookTemplatesMutation } from '../../../../generated/console/webhookTemplatesMutation.graphql.ts'
import { Form } from '../../../page/forms/form.tsx'
import { useEdited } from '../../../page/forms/use-edited.ts'
import { useAction } from '../../../relay/use-action.ts'
import { Section } from '../../layout/section.tsx'
import { ExampleChoice } from './example-choice.tsx'
import { TemplateFields } from './template-fields.tsx'
import { TemplatePreview } from './template-preview.tsx'
import { inputOf, type TemplateValues, templateFields, valuesOf } from './template-values.ts'
import type { FieldProblem } from './use-preview.ts'

type Props = { webhook: webhookTemplates_webhook$key }

/** The templates of a webhook, and what they make of a body that it received. */
export function WebhookTemplates({ webhook }: Props) {
  const { id, templates } = useFragment(
    graphql`
      fragment webhookTemplates_webhook on Webhook {
        id
        templates {
          text threadBy threadSubject uniqueBy version state notify threadClosed threadState senderName plain
        }
      }
    `,
    webhook,
  )
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title="Templates"
      text={
        <>
          They make messages of any JSON or form that a program posts to the URL with /template at its end.{' '}
          <Anchor href="/docs/webhooks/template">How templates are written</Anchor>
        </>
      }
    >
      {templates || isOpen ? (
        <TemplateForm webhookID={id} saved={valuesOf(templates ?? null)} />
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            Write templates
          </Button>
        </Group>
      )}
    </Section>
  )
}

function TemplateForm({ webhookID, saved }: { webhookID: string; saved: TemplateValues }) {
  const { values, changed, change, markSaved, state } = useEdited(saved)
  const [previewed, setPreviewed] = useState<readonly FieldProblem[]>([])
  const { run, isRunning, problem, fieldProblems, clear } = useAction<webhookTemplatesMutation>(
    graphql`
      mutation webhookTemplatesMutation($input: UpdateWebhookInput!) {
        updateWebhook(input: $input) { webhook { id ...webhookTemplates_webhook } }
      }
    `,
    templateFields.map(({ field }) => `templates.${field}`),
  )
  const edit = (changes: Partial<TemplateValues>) => {
    clear()
    setPreviewed([])
    change(changes)
  }
  const save = () => run({ input: { webhookID, templates: inputOf(values) } }, () => markSaved(changed))
  return (
    <>
      <Form action="Save the templates" onSubmit={save} problem={problem} isRunning={isRunning} edit={state}>
        <ExampleChoice onChoose={edit} />
        <TemplateFields
          values={values}
          problems={problemsByField(fieldProblems, previewed)}
          onChange={edit}
        />
      </Form>
      <TemplatePreview webhookID={webhookID} templates={inputOf(values)} onProblems={setPreviewed} />
    </>
  )
}

/** Joins the problems of the last attempt to save and of the last preview. */
function problemsByField(saved: Partial<Record<string, string>>, previewed: readonly FieldProblem[]) {
  const ofPreview = previewed.map(({ field, message }) => [field, `This template ${message}.`])
  const ofSaving = Object.entries(saved).map(([field, text]) => [field.replace('templates.', ''), text])
  return Object.fromEntries([...ofPreview, ...ofSaving])
}
