import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { appPageQuery } from '../../../generated/console/appPageQuery.graphql.ts'
import { CopyField } from '../../page/copying/copy-field.tsx'
import { NotFound } from '../../page/problems/not-found.tsx'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { EndpointSection } from '../endpoints/endpoint-section.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { ClientSecret } from './client-secret.tsx'
import { DeleteApp } from './delete-app.tsx'
import { InstallationSection } from './installations/installation-section.tsx'
import { AppForm } from './registration/app-form.tsx'

/** An app: its registration, if the person manages it, and its installation in this workspace. */
export function AppPage() {
  const { workspaceID = '', appID = '' } = useParams()
  const { listVersion } = useViewer()
  const [fetchKey, setFetchKey] = useState(0)
  const { viewer, managed, installed } = useQuery<appPageQuery>(
    graphql`
      query appPageQuery($appID: ID!, $installationID: ID!) {
        viewer { permissions }
        managed: node(id: $appID) {
          ... on App @alias(as: "app") {
            id name description isPublic
            ...appForm_app ...clientSecret_app ...deleteApp_app
            eventEndpoints { id ...endpointSection_endpoints }
          }
        }
        installed: node(id: $installationID) {
          ... on Installation @alias(as: "installation") { id app { name description } ...installationSection_installation }
        }
      }
    `,
    { appID, installationID: `${appID}-${workspaceID}` },
    { fetchKey: `${fetchKey}-${listVersion}`, fetchPolicy: 'store-and-network' },
  )
  const [app, installation] = [managed?.app, installed?.installation]
  const reload = () => setFetchKey((key) => key + 1)
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
            <AppForm app={app} isAdmin={isAdmin} />
          </Section>
          <EndpointSection owner={{ appID }} endpoints={app.eventEndpoints ?? []} onChange={reload} />
          <DeleteApp app={app} />
        </>
      )}
    </div>
  )
}
