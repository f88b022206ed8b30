import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { newWebhookFormMutation } from '../../../generated/console/newWebhookFormMutation.graphql.ts'
import { Form } from '../parts/form.tsx'
import { useCommit } from '../parts/use-commit.ts'

export type CreatedWebhook = { id: string; name: string; userID: string; url: string }

export function NewWebhookForm({ onCreated }: { onCreated: (webhook: CreatedWebhook) => void }) {
  const { workspaceID = '' } = useParams()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const { run, isBusy, problem } = useCommit<newWebhookFormMutation>(graphql`
    mutation newWebhookFormMutation($input: CreateWebhookInput!) {
      createWebhook(input: $input) { url webhook { id name user { id } } }
    }
  `)
  const create = () =>
    run(
      { input: { workspaceID, name, description: description.trim() || null } },
      {
        onDone: ({ createWebhook }) => {
          if (!createWebhook) return
          const { id, name, user } = createWebhook.webhook
          onCreated({ id, name, userID: user.id, url: createWebhook.url })
        },
      },
    )
  return (
    <Stack mt="md">
      <Form
        action="Add webhook"
        onSubmit={create}
        problem={problem}
        isBusy={isBusy}
        isDisabled={name.trim() === ''}
      >
        <TextInput
          label="Name"
          description="It is shown with the messages of the webhook."
          placeholder="Nightly build"
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Description (optional)"
          description="What the webhook is for."
          maxLength={1000}
          autoComplete="off"
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </Form>
    </Stack>
  )
}
