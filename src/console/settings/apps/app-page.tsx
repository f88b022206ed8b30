import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { appPageDeleteMutation } from '../../../generated/console/appPageDeleteMutation.graphql.ts'
import type { appPagePictureMutation } from '../../../generated/console/appPagePictureMutation.graphql.ts'
import type { appPageQuery } from '../../../generated/console/appPageQuery.graphql.ts'
import type { appPageSecretRotateMutation } from '../../../generated/console/appPageSecretRotateMutation.graphql.ts'
import { CopyField } from '../../page/copying.tsx'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { NotFound } from '../../page/problems/problem.tsx'
import { useReloadedQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { EndpointSection } from '../endpoints/endpoint-section.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { PictureField } from '../picture/picture-field.tsx'
import { SecretOnce } from '../secrets/secret-once.tsx'
import { InstallationSection } from './installations/installation-section.tsx'
import { AppForm } from './registration/app-form.tsx'

type App = { id: string; name: string }

/** An app: its registration, if the person manages it, and its installation in this workspace. */
export function AppPage() {
  const { workspaceID = '', appID = '' } = useParams()
  const { listVersion } = useViewer()
  const [{ viewer, managed, installed }, reload] = useReloadedQuery<appPageQuery>(
    graphql`
      query appPageQuery($appID: ID!, $installationID: ID!) {
        viewer { permissions }
        managed: node(id: $appID) {
          ... on App @alias(as: "app") {
            id name description isPublic avatarURL
            ...appForm_app
            eventEndpoints { id ...endpointSection_endpoints }
          }
        }
        installed: node(id: $installationID) {
          ... on Installation @alias(as: "installation") { id app { name description } ...installationSection_installation }
        }
      }
    `,
    { appID, installationID: `${appID}-${workspaceID}` },
    listVersion,
  )
  const [app, installation] = [managed?.app, installed?.installation]
  const isAdmin = viewer?.permissions.includes('manageApps') ?? false
  const named = app ?? installation?.app
  if (!named) return <NotFound what="App" />
  return (
    <div>
      <PageHeader
        title={named.name}
        parent={{ path: 'apps', label: 'Apps' }}
        state={installation ? 'Installed' : 'Not installed'}
      >
        {named.description}
      </PageHeader>
      <Section title="Credentials">
        <CopyField label="Client ID" value={appID} description="This is also the app ID." />
        {app?.isPublic === false && <ClientSecret app={app} />}
      </Section>
      <InstallationSection
        appID={appID}
        installation={installation ?? null}
        isAdmin={isAdmin}
        onChange={reload}
      />
      {app && (
        <>
          <Section title="Registration">
            <PictureField<appPagePictureMutation>
              user={{ ...app, kind: 'app' }}
              mutation={graphql`
                mutation appPagePictureMutation($input: UpdateAppInput!) {
                  updateApp(input: $input) { app { id avatarURL } }
                }
              `}
              variablesFor={(avatarFileID) => ({ input: { appID, avatarFileID } })}
            />
            <AppForm app={app} isAdmin={isAdmin} />
          </Section>
          <EndpointSection owner={{ appID }} endpoints={app.eventEndpoints ?? []} onChange={reload} />
          <DeleteApp app={app} />
        </>
      )}
    </div>
  )
}

function DeleteApp({ app: { id, name } }: { app: App }) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  return (
    <Section title="Delete the app" text="The app is uninstalled from all workspaces. Its messages stay.">
      <Group>
        <ActionButton<appPageDeleteMutation>
          label="Delete the app"
          isDestructive
          confirmation={{
            title: `Delete ${name}?`,
            text: 'Its secret and all its tokens stop working immediately in all workspaces. This cannot be undone.',
          }}
          mutation={graphql`
            mutation appPageDeleteMutation($input: DeleteAppInput!) { deleteApp(input: $input) { removedAppID } }
          `}
          variables={{ input: { appID: id } }}
          onDone={() => navigate(`/${workspaceID}/settings/apps`)}
        />
      </Group>
    </Section>
  )
}

function ClientSecret({ app: { id, name } }: { app: App }) {
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Stack gap="sm">
      <Group>
        <ActionButton<appPageSecretRotateMutation>
          label="Replace the client secret"
          isDestructive
          confirmation={{
            title: `Replace the client secret of ${name}?`,
            text: 'The old secret stops working immediately. Access tokens continue to work until they expire.',
          }}
          mutation={graphql`
            mutation appPageSecretRotateMutation($input: RotateClientSecretInput!) {
              rotateClientSecret(input: $input) { clientSecret }
            }
          `}
          variables={{ input: { appID: id } }}
          onDone={({ rotateClientSecret }) => setSecret(rotateClientSecret?.clientSecret ?? null)}
        />
      </Group>
      {secret !== null && <SecretOnce label="Client secret" value={secret} />}
    </Stack>
  )
}
