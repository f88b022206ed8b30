import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { webhookSettings_webhook$key } from '../../../generated/console/webhookSettings_webhook.graphql.ts'
import type {
  WebhookFormat,
  webhookSettingsMutation,
} from '../../../generated/console/webhookSettingsMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { EntrySelect } from '../../people/picker/entry-select.tsx'
import { RecipientSelect } from '../../people/picker/recipient-select.tsx'
import { useAction } from '../../relay/use-action.ts'
import { inputTime } from '../../text/time.ts'
import { Section } from '../layout/section.tsx'
import { SignatureFields, signatureInput } from './signature-fields.tsx'

const formats: { value: WebhookFormat | ''; label: string }[] = [
  { value: '', label: 'Messages of Skein' },
  { value: 'slack', label: 'Slack' },
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'discord', label: 'Discord' },
  { value: 'alertmanager', label: 'Alertmanager' },
  { value: 'grafana', label: 'Grafana' },
  { value: 'sentry', label: 'Sentry' },
  { value: 'json', label: 'Flat JSON' },
  { value: 'template', label: 'Templates of this webhook' },
]

/** What a webhook does with calls. An empty text stands for the default. */
export function WebhookSettings(props: { webhook: webhookSettings_webhook$key }) {
  const webhook = useFragment(
    graphql`
      fragment webhookSettings_webhook on Webhook {
        id defaultTarget allowedTargets format resolvedCalls restDays expiresAt hasSignatureSecret
      }
    `,
    props.webhook,
  )
  const { values, changed, change, markSaved, state } = useEdited({
    defaultTarget: webhook.defaultTarget ?? '',
    allowedTargets: webhook.allowedTargets,
    format: webhook.format ?? '',
    resolvedCalls: webhook.resolvedCalls,
    restDays: String(webhook.restDays ?? ''),
    expiresAt: webhook.expiresAt ? inputTime(webhook.expiresAt) : '',
    isSigned: webhook.hasSignatureSecret,
    signatureSecret: '',
  })
  const { run, isRunning, problem, fieldProblems } = useAction<webhookSettingsMutation>(
    graphql`
      mutation webhookSettingsMutation($input: UpdateWebhookInput!) {
        updateWebhook(input: $input) { webhook { ...webhookSettings_webhook } }
      }
    `,
    ['restDays', 'expiresAt', 'signatureSecret'],
  )
  const save = () => {
    const signature = signatureInput(changed, webhook.hasSignatureSecret)
    run({ input: { webhookID: webhook.id, ...inputOf(changed), ...signature } }, () => markSaved(changed))
  }
  return (
    <Section title="Calls" text="These settings apply from the next call on.">
      <Form action="Save the settings" onSubmit={save} problem={problem} isRunning={isRunning} edit={state}>
        <EntrySelect
          kind="groups"
          label="Default group"
          description="Calls that name no target go to this group. Before you choose a private group, add the webhook to it."
          placeholder="None"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the default group' }}
          value={values.defaultTarget || null}
          onChange={(defaultTarget) => change({ defaultTarget: defaultTarget ?? '' })}
        />
        <RecipientSelect
          kind="groups"
          label="Allowed groups"
          description="Calls can go to these groups and their threads. If you choose none, to all that the webhook can see."
          value={values.allowedTargets}
          onChange={(allowedTargets) => change({ allowedTargets })}
        />
        <NativeSelect
          label="Format"
          description="What is posted to the URL itself. Each format also has a URL of its own."
          data={formats}
          value={values.format}
          onChange={(event) => change({ format: event.currentTarget.value })}
        />
        <Switch
          label="Messages about resolved alerts ask for attention"
          checked={values.resolvedCalls}
          onChange={(event) => change({ resolvedCalls: event.currentTarget.checked })}
        />
        <TextInput
          type="number"
          label="Days after which a closed thread is not reopened"
          description="A later call with the key of the thread begins a new thread. If the field is empty, 30 days for formats, and never for other calls."
          min={1}
          max={365}
          value={values.restDays}
          error={fieldProblems.restDays}
          onChange={(event) => change({ restDays: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label="Expires"
          description="After this time, the webhook responds as if it did not exist. If the field is empty, it does not expire."
          value={values.expiresAt}
          error={fieldProblems.expiresAt}
          onChange={(event) => change({ expiresAt: event.currentTarget.value })}
        />
        <SignatureFields
          values={values}
          hasSecret={webhook.hasSignatureSecret}
          problem={fieldProblems.signatureSecret}
          onChange={change}
        />
      </Form>
    </Section>
  )
}

type Values = {
  defaultTarget: string
  allowedTargets: readonly string[]
  format: string
  resolvedCalls: boolean
  restDays: string
  expiresAt: string
}

function inputOf(changed: Partial<Values>) {
  const { defaultTarget, allowedTargets, format, resolvedCalls, restDays, expiresAt } = changed
  return {
    ...(allowedTargets !== undefined && { allowedTargets }),
    ...(resolvedCalls !== undefined && { resolvedCalls }),
    ...(defaultTarget !== undefined && { defaultTarget: defaultTarget || null }),
    ...(format !== undefined && { format: (format || null) as WebhookFormat | null }),
    ...(restDays !== undefined && { restDays: restDays === '' ? null : Number(restDays) }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt ? new Date(expiresAt).toISOString() : null }),
  }
}
