import { Text } from '@mantine/core'
import { useState } from 'react'
import { useViewer } from '../../../session/viewer.ts'
import { PageHeader } from '../../layout/page-header.tsx'
import { type AppCredentials, NewAppCredentials } from './new-app-credentials.tsx'
import { NewAppForm } from './new-app-form.tsx'

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
