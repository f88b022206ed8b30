import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { newWebhookPageMutation } from '../../../generated/console/newWebhookPageMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'
import { useViewer } from '../../session/viewer.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { LastCalls } from './calls/last-calls.tsx'
import { NewURL, WebhookTrial } from './trial/webhook-trial.tsx'
import { WebhookFields } from './webhook-fields.tsx'

/** Adds a webhook, and then shows how to call it. */
export function NewWebhookPage() {
  const { workspaceID } = useParams()
  const { permissions } = useViewer()
  const [webhook, setWebhook] = useState<CreatedWebhook | null>(null)
  const parent = { path: 'apps', label: 'Apps' }
  if (!webhook)
    return (
      <div>
        <PageHeader title="Add webhook" parent={parent}>
          A webhook is a URL to which programs send messages.
        </PageHeader>
        {permissions.includes('createWebhooks') ? (
          <NewWebhookForm onCreated={setWebhook} />
        ) : (
          <Text mt="md">
            Only admins can add webhooks. In the workspace settings, admins can allow this for all members.
          </Text>
        )}
      </div>
    )
  const { id, name, userID, url } = webhook
  return (
    <div>
      <PageHeader title={name} parent={parent}>
        The webhook is ready.
      </PageHeader>
      <Section title="Its URL">
        <NewURL url={url} />
      </Section>
      <Section title="Try it">
        <WebhookTrial name={name} userID={userID} url={url} />
      </Section>
      <LastCalls webhookID={id} />
      <Anchor component={Link} mt="md" display="block" to={`/${workspaceID}/settings/webhooks/${id}`}>
        Open the settings of {name}
      </Anchor>
    </div>
  )
}

type CreatedWebhook = { id: string; name: string; userID: string; url: string }

function NewWebhookForm({ onCreated }: { onCreated: (webhook: CreatedWebhook) => void }) {
  const { workspaceID = '' } = useParams()
  const environment = useRelayEnvironment()
  const [values, setValues] = useState({ name: '', description: '' })
  const { run, isRunning, problem, fieldProblems } = useAction<newWebhookPageMutation>(
    graphql`
      mutation newWebhookPageMutation($input: CreateWebhookInput!) {
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
