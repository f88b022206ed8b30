import { graphql, useFragment, useRelayEnvironment } from 'react-relay/hooks'
import type { webhookForm_webhook$key } from '../../../generated/console/webhookForm_webhook.graphql.ts'
import type { webhookFormMutation } from '../../../generated/console/webhookFormMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'
import { WebhookFields } from './webhook-fields.tsx'

export function WebhookForm({ webhook }: { webhook: webhookForm_webhook$key }) {
  const environment = useRelayEnvironment()
  const { id, name, description } = useFragment(
    graphql`fragment webhookForm_webhook on Webhook { id name description }`,
    webhook,
  )
  const { values, changed, change, markSaved, state } = useEdited({ name, description: description ?? '' })
  const { run, isRunning, problem, fieldProblems } = useAction<webhookFormMutation>(
    graphql`
      mutation webhookFormMutation($input: UpdateWebhookInput!) {
        updateWebhook(input: $input) { webhook { id ...webhookForm_webhook user { id name } } }
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
