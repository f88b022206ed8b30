import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { installAppPageMutation } from '../../../../generated/console/installAppPageMutation.graphql.ts'
import { defaultScopes } from '../../../../scopes.ts'
import { PageHeader } from '../../layout/page-header.tsx'
import { Form } from '../../parts/form.tsx'
import { ScopePicker } from '../../parts/scope-picker.tsx'
import { useCommit } from '../../parts/use-commit.ts'

export function InstallAppPage() {
  const { workspaceID = '' } = useParams()
  const navigate = useNavigate()
  const [appID, setAppID] = useState('')
  const [scopes, setScopes] = useState<string[]>([...defaultScopes])
  const { run, isBusy, problem } = useCommit<installAppPageMutation>(graphql`
    mutation installAppPageMutation($input: InstallAppInput!) {
      installApp(input: $input) { installation { id app { id } } }
    }
  `)
  const install = () =>
    run(
      { input: { workspaceID, appID: appID.trim(), scopes } },
      {
        onDone: ({ installApp }) =>
          navigate(`/${workspaceID}/settings/apps/${installApp?.installation.app.id ?? ''}`),
      },
    )
  return (
    <div>
      <PageHeader title="Install an app" parent={{ path: 'apps', label: 'Apps' }}>
        You can install the apps of this workspace, and the listed apps of others.
      </PageHeader>
      <Stack mt="md">
        <Form
          action="Install the app"
          onSubmit={install}
          problem={problem}
          isBusy={isBusy}
          isDisabled={appID.trim() === ''}
        >
          <TextInput
            label="App ID"
            description="The author of the app knows it. It begins with app_ and is also the client ID."
            autoComplete="off"
            spellCheck={false}
            value={appID}
            onChange={(event) => setAppID(event.currentTarget.value)}
          />
          <ScopePicker label="The app can" value={scopes} onChange={setScopes} />
        </Form>
      </Stack>
    </div>
  )
}
