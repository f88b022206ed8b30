import { Stack } from '@mantine/core'
import { useState } from 'react'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { newWebhookFormMutation } from '../../../generated/console/newWebhookFormMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'
import { WebhookFields } from './webhook-fields.tsx'

export type CreatedWebhook = { id: string; name: string; userID: string; url: string }

export function NewWebhookForm({ onCreated }: { onCreated: (webhook: CreatedWebhook) => void }) {
  const { workspaceID = '' } = useParams()
  const environment = useRelayEnvironment()
  const [values, setValues] = useState({ name: '', description: '' })
  const { run, isRunning, problem, fieldProblems } = useAction<newWebhookFormMutation>(
    graphql`
      mutation newWebhookFormMutation($input: CreateWebhookInput!) {
        createWebhook(input: $input) { url webhook { id name user { id } } }
      }
    `,
    ['name'],
  )
  const create = () => {
    const description = values.description.trim() || null
    run({ input: { workspaceID, name: values.name, description } }, ({ createWebhook }) => {
      if (!createWebhook) return
      forgetDirectory(environment)
      const { id, name, user } = createWebhook.webhook
      onCreated({ id, name, userID: user.id, url: createWebhook.url })
    })
  }
  return (
    <Stack mt="md">
      <Form
        action="Add webhook"
        onSubmit={create}
        problem={problem}
        isRunning={isRunning}
        isDisabled={values.name.trim() === ''}
      >
        <WebhookFields values={values} nameProblem={fieldProblems.name} onChange={setValues} />
      </Form>
    </Stack>
  )
}
