import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useViewer } from '../../../session/viewer.ts'
import { PageHeader } from '../../layout/page-header.tsx'
import { ScopesForm } from './scopes-form.tsx'

/** Installs an app that is not in the list, by its ID. */
export function InstallAppPage() {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const { permissions } = useViewer()
  const [text, setText] = useState('')
  const appID = text.trim()
  return (
    <div>
      <PageHeader title="Install an app" parent={{ path: 'apps', label: 'Apps' }}>
        You can install apps of this workspace, and apps that other workspaces have listed.
      </PageHeader>
      {permissions.includes('manageApps') ? (
        <Stack mt="md">
          <ScopesForm
            appID={appID}
            action="Install app"
            onDone={() => navigate(`/${workspaceID}/settings/apps/${appID}`)}
          >
            <TextInput
              label="App ID"
              description="Ask the author of the app. The ID begins with app_, and is the same as the client ID."
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </ScopesForm>
        </Stack>
      ) : (
        <Text mt="md">Only admins can install apps.</Text>
      )}
    </div>
  )
}
