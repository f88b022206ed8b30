import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { appPageQuery } from '../../../generated/console/appPageQuery.graphql.ts'
import { Problem } from '../../page/problem.tsx'
import { EndpointSection } from '../endpoints/endpoint-section.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { CopyField } from '../parts/copy-field.tsx'
import { AppForm } from './app-form.tsx'
import { ClientSecret } from './client-secret.tsx'
import { DeleteApp } from './delete-app.tsx'
import { InstallationSection } from './installations/installation-section.tsx'

/** An app: its registration, if it is managed here, and its installation in this workspace. */
export function AppPage() {
  const { workspaceID = '', appID = '' } = useParams()
  const [fetchKey, setFetchKey] = useState(0)
  const { viewer, managed, installed } = useLazyLoadQuery<appPageQuery>(
    graphql`
      query appPageQuery($appID: ID!, $installationID: ID!) {
        viewer { permissions }
        managed: node(id: $appID) {
          ... on App @alias(as: "app") {
            id name isPublic
            ...appForm_app ...clientSecret_app ...deleteApp_app
            eventEndpoints { id ...endpointSection_endpoints }
          }
        }
        installed: node(id: $installationID) {
          ... on Installation @alias(as: "installation") { id app { name } ...installationSection_installation }
        }
      }
    `,
    { appID, installationID: `${appID}-${workspaceID}` },
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  const [app, installation] = [managed?.app, installed?.installation]
  const reload = () => setFetchKey((key) => key + 1)
  const isAdmin = viewer?.permissions.includes('manageApps') ?? false
  const name = app?.name ?? installation?.app.name
  if (name === undefined)
    return <Problem title="App not found" text="It does not exist, or you do not manage it." />
  return (
    <div>
      <PageHeader
        title={name}
        parent={{ path: 'apps', label: 'Apps' }}
        state={installation ? 'Installed' : 'Not installed'}
      />
      <Section title="Client">
        <CopyField label="Client ID" value={appID} description="It is also the app ID." />
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
          <Section title="App">
            <AppForm app={app} isAdmin={isAdmin} />
          </Section>
          <EndpointSection owner={{ appID }} endpoints={app.eventEndpoints ?? []} onChange={reload} />
          <DeleteApp app={app} />
        </>
      )}
    </div>
  )
}
