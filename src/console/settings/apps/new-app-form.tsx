import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { newAppFormMutation } from '../../../generated/console/newAppFormMutation.graphql.ts'
import { defaultScopes } from '../../../scopes.ts'
import { Form } from '../parts/form.tsx'
import { ScopePicker } from '../parts/scope-picker.tsx'
import { useCommit } from '../parts/use-commit.ts'
import type { AppCredentials } from './new-app-credentials.tsx'
import { linesOf, RedirectURIs } from './redirect-uris.tsx'

type Props = { isAdmin: boolean; onCreated: (credentials: AppCredentials) => void }

/** Members can only grant the default scopes, and cannot list an app. */
export function NewAppForm({ isAdmin, onCreated }: Props) {
  const { workspaceID = '' } = useParams()
  const [name, setName] = useState('')
  const [redirectURIs, setRedirectURIs] = useState('')
  const [scopes, setScopes] = useState<string[]>([...defaultScopes])
  const [isPublic, setPublic] = useState(false)
  const [isListed, setListed] = useState(false)
  const { run, isBusy, problem } = useCommit<newAppFormMutation>(graphql`
    mutation newAppFormMutation($input: CreateAppInput!) {
      createApp(input: $input) { clientID clientSecret app { name } }
    }
  `)
  const create = () =>
    run(
      { input: { workspaceID, name, redirectURIs: linesOf(redirectURIs), scopes, isPublic, isListed } },
      {
        onDone: ({ createApp }) => {
          if (!createApp) return
          const { app, clientID, clientSecret } = createApp
          onCreated({ name: app.name, clientID, clientSecret: clientSecret ?? null })
        },
      },
    )
  return (
    <Stack mt="md">
      <Form
        action="Create the app"
        onSubmit={create}
        problem={problem}
        isBusy={isBusy}
        isDisabled={name.trim() === '' || linesOf(redirectURIs).length === 0}
      >
        <TextInput
          label="Name"
          description="It is also the name of the user that the app acts as."
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RedirectURIs value={redirectURIs} onChange={setRedirectURIs} />
        <ScopePicker
          label="The app can"
          {...(!isAdmin && {
            description: 'Only admins can allow more than this.',
            allowed: defaultScopes,
          })}
          value={scopes}
          onChange={setScopes}
        />
        <Checkbox
          label="Public app"
          description="It has no client secret, because its users could read it, for example in a browser or a phone app."
          checked={isPublic}
          onChange={(event) => setPublic(event.currentTarget.checked)}
        />
        {isAdmin && (
          <Checkbox
            label="Listed"
            description="Admins of other workspaces can install the app."
            checked={isListed}
            onChange={(event) => setListed(event.currentTarget.checked)}
          />
        )}
      </Form>
    </Stack>
  )
}
