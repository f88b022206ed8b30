import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { webhookPageFormMutation } from '../../../generated/console/webhookPageFormMutation.graphql.ts'
import type { webhookPagePictureMutation } from '../../../generated/console/webhookPagePictureMutation.graphql.ts'
import type { webhookPageQuery } from '../../../generated/console/webhookPageQuery.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { NotFound } from '../../page/problems/problem.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'
import { useReloadedQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { createdBy } from '../../text/created-by.ts'
import { dateAndMinute } from '../../text/time.ts'
import { EndpointSection } from '../endpoints/endpoint-section.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { PictureField } from '../picture/picture-field.tsx'
import { LastCalls } from './calls/last-calls.tsx'
import { WebhookTemplates } from './templates/webhook-templates.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { WebhookSettings } from './webhook-settings.tsx'
import { stoppedState } from './webhook-state.ts'
import { WebhookURL } from './webhook-url.tsx'

export function WebhookPage() {
  const { webhookID = '' } = useParams()
  const { listVersion } = useViewer()
  const [{ node }, reload] = useReloadedQuery<webhookPageQuery>(
    graphql`
      query webhookPageQuery($webhookID: ID!) {
        node(id: $webhookID) {
          ... on Webhook @alias(as: "webhook") {
            id name description createdAt disabledAt expiresAt deletedAt lastUsedAt creator { name }
            user { id name kind avatarURL }
            ...webhookSettings_webhook ...webhookTemplates_webhook ...webhookUrl_webhook ...webhookActions_webhook
            eventEndpoints { id ...endpointSection_endpoints }
          }
        }
      }
    `,
    { webhookID },
    listVersion,
  )
  const webhook = node?.webhook
  if (!webhook || webhook.deletedAt) return <NotFound what="Webhook" />
  // While a webhook is in use, the service updates the time every ten minutes.
  const used = webhook.lastUsedAt
    ? `Last used ${dateAndMinute(webhook.lastUsedAt)} (accurate to about ten minutes)`
    : 'Never used'
  return (
    <div>
      <PageHeader
        title={webhook.name}
        parent={{ path: 'apps', label: 'Apps' }}
        state={stoppedState(webhook) ?? 'Enabled'}
      >
        {[webhook.description, createdBy(webhook), used].filter(Boolean).join(' · ')}
      </PageHeader>
      <Section title="Name and description">
        <PictureField<webhookPagePictureMutation>
          user={webhook.user}
          mutation={graphql`
            mutation webhookPagePictureMutation($input: UpdateWebhookInput!) {
              updateWebhook(input: $input) { webhook { id user { id avatarURL } } }
            }
          `}
          variablesFor={(avatarFileID) => ({ input: { webhookID, avatarFileID } })}
        />
        <WebhookForm webhook={webhook} />
      </Section>
      <WebhookSettings webhook={webhook} />
      <WebhookTemplates webhook={webhook} />
      <WebhookURL webhook={webhook} />
      <LastCalls webhookID={webhookID} />
      <EndpointSection owner={{ webhookID }} endpoints={webhook.eventEndpoints ?? []} onChange={reload} />
      <WebhookActions webhook={webhook} />
    </div>
  )
}

type WebhookFormProps = { webhook: { id: string; name: string; description: string | null | undefined } }

function WebhookForm({ webhook: { id, name, description } }: WebhookFormProps) {
  const environment = useRelayEnvironment()
  const { values, changed, change, markSaved, state } = useEdited({ name, description: description ?? '' })
  const { run, isRunning, problem, fieldProblems } = useAction<webhookPageFormMutation>(
    graphql`
      mutation webhookPageFormMutation($input: UpdateWebhookInput!) {
        updateWebhook(input: $input) { webhook { id name description user { id name } } }
      }
    `,
    ['name'],
  )
  const save = () => {
    const { description, ...others } = changed
    const purpose = description !== undefined && { description: description.trim() || null }
    run({ input: { webhookID: id, ...others, ...purpose } }, () => {
      forgetDirectory(environment)
      markSaved(changed)
    })
  }
  return (
    <Form
      action="Save"
      onSubmit={save}
      problem={problem}
      isRunning={isRunning}
      edit={state}
      isDisabled={values.name.trim() === ''}
    >
      <WebhookFields values={values} nameProblem={fieldProblems.name} onChange={change} />
    </Form>
  )
}
