import { Button, Text } from '@mantine/core'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { appsPageQuery } from '../../../generated/console/appsPageQuery.graphql.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { WebhookList } from '../webhooks/webhook-list.tsx'
import { AppList } from './app-list.tsx'
import { InstallationList } from './installations/installation-list.tsx'

/** The programs that work with the workspace: its webhooks and its apps. */
export function AppsPage() {
  const { workspaceID = '' } = useParams()
  const { viewer, workspace } = useLazyLoadQuery<appsPageQuery>(
    graphql`
      query appsPageQuery($workspaceID: ID!) {
        viewer { permissions }
        workspace(id: $workspaceID) {
          customAppsEnabled
          ...webhookList_workspace
          ...installationList_workspace
          ...appList_workspace
        }
      }
    `,
    { workspaceID },
    { fetchPolicy: 'store-and-network' },
  )
  if (!viewer || !workspace) return null
  const { permissions } = viewer
  const isAdmin = permissions.includes('manageApps')
  const settings = `/${workspaceID}/settings`
  return (
    <div>
      <PageHeader title="Apps">Programs that read and write in this workspace.</PageHeader>
      <Section
        title="Webhook"
        text="A webhook is a URL. A program that sends a text to it, for example with curl, posts a message."
        actions={
          permissions.includes('createWebhooks') && (
            <Button component={Link} to={`${settings}/webhooks/new`}>
              Add webhook
            </Button>
          )
        }
      >
        {!permissions.includes('createWebhooks') && (
          <Text size="sm">Only admins can add webhooks. They can also allow it for members.</Text>
        )}
        <WebhookList workspace={workspace} />
      </Section>
      <Section
        title="Installed apps"
        text="An app acts as its own user, and can do what its permissions allow."
        actions={
          isAdmin && (
            <Button variant="default" component={Link} to={`${settings}/apps/install`}>
              Install an app
            </Button>
          )
        }
      >
        <InstallationList workspace={workspace} />
      </Section>
      <Section
        title="Apps of this workspace"
        text="Apps that were created here, whether or not they are installed."
        actions={
          permissions.includes('createApps') && (
            <Button component={Link} to={`${settings}/apps/new`}>
              Create an app
            </Button>
          )
        }
      >
        {!permissions.includes('createApps') && (
          <Text size="sm">
            {workspace.customAppsEnabled
              ? 'Only admins can create apps. They can also allow it for members.'
              : 'Apps cannot be created in this workspace. Admins can change this in the workspace settings.'}
          </Text>
        )}
        <AppList workspace={workspace} />
      </Section>
    </div>
  )
}
