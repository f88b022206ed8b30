import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { newAppPageMutation } from '../../../../generated/console/newAppPageMutation.graphql.ts'
import { defaultScopes } from '../../../../scopes.ts'
import { Form } from '../../../page/forms/form.tsx'
import { useAction } from '../../../relay/use-action.ts'
import { useViewer } from '../../../session/viewer.ts'
import { PageHeader } from '../../layout/page-header.tsx'
import { ScopePicker } from '../../scopes/scope-picker.tsx'
import { AppFields, linesOf } from './app-fields.tsx'
import { type AppCredentials, NewAppCredentials } from './new-app-credentials.tsx'

export function NewAppPage() {
  const [credentials, setCredentials] = useState<AppCredentials | null>(null)
  const { permissions } = useViewer()
  return (
    <div>
      <PageHeader title="Create an app" parent={{ path: 'apps', label: 'Apps' }}>
        An app uses the API. With OAuth, it can also act for people who agree.
      </PageHeader>
      {credentials && <NewAppCredentials {...credentials} />}
      {!credentials && permissions.includes('createApps') && (
        <NewAppForm isAdmin={permissions.includes('manageApps')} onCreated={setCredentials} />
      )}
      {!credentials && !permissions.includes('createApps') && (
        <Text mt="md">
          You cannot create apps in this workspace. Admins can change this in the workspace settings.
        </Text>
      )}
    </div>
  )
}

type Props = { isAdmin: boolean; onCreated: (credentials: AppCredentials) => void }

/** Registers an app. A person who is not an admin can choose only the default scopes. */
function NewAppForm({ isAdmin, onCreated }: Props) {
  const { workspaceID = '' } = useParams()
  const [values, setValues] = useState({ name: '', description: '', redirectURIs: '', isListed: false })
  const [scopes, setScopes] = useState<string[]>([...defaultScopes])
  const [isPublic, setPublic] = useState(false)
  const { run, isRunning, problem } = useAction<newAppPageMutation>(graphql`
    mutation newAppPageMutation($input: CreateAppInput!) {
      createApp(input: $input) { clientID clientSecret app { name redirectURIs } }
    }
  `)
  const create = () => {
    const redirectURIs = linesOf(values.redirectURIs)
    const description = values.description.trim() || null
    run(
      { input: { ...values, workspaceID, description, redirectURIs, scopes, isPublic } },
      ({ createApp }) => {
        if (!createApp) return
        const { app, clientID, clientSecret } = createApp
        onCreated({
          name: app.name,
          clientID,
          clientSecret: clientSecret ?? null,
          redirectURI: app.redirectURIs[0] ?? '',
        })
      },
    )
  }
  return (
    <Stack mt="md">
      <Form action="Create app" onSubmit={create} problem={problem} isRunning={isRunning}>
        <AppFields
          values={values}
          nameHelp="The app acts as a user with this name."
          isAdmin={isAdmin}
          onChange={setValues}
        />
        <ScopePicker
          label="Permissions of the app"
          {...(!isAdmin && {
            description: 'Only admins can allow more than this.',
            allowed: defaultScopes,
          })}
          value={scopes}
          onChange={setScopes}
        />
        <Checkbox
          label="Public app"
          description="The app has no client secret. Choose this if its users could read the secret, for example in a browser or a mobile app."
          checked={isPublic}
          onChange={(event) => setPublic(event.currentTarget.checked)}
        />
      </Form>
    </Stack>
  )
}
