import { Button, Text } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useMemo } from 'react'
import { graphql } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { appsPageLiveSubscription } from '../../../generated/console/appsPageLiveSubscription.graphql.ts'
import type { appsPageQuery } from '../../../generated/console/appsPageQuery.graphql.ts'
import { Icon } from '../../page/icon.tsx'
import { useReloadedQuery } from '../../relay/use-query.ts'
import { useStream } from '../../relay/use-stream.ts'
import { useViewer } from '../../session/viewer.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { AppList, InstallationList, WebhookList } from './program-lists.tsx'

const add = <Icon name="plus" size={16} />

/** The programs that work with the workspace: its webhooks and its apps. */
export function AppsPage() {
  const { workspaceID = '' } = useParams()
  const { listVersion } = useViewer()
  const [{ latestEventCursor, viewer, workspace }, reload] = useReloadedQuery<appsPageQuery>(
    graphql`
      query appsPageQuery($workspaceID: ID!) {
        latestEventCursor
        viewer { permissions }
        workspace(id: $workspaceID) {
          customAppsEnabled
          ...programListsWebhooks_workspace
          ...programListsInstallations_workspace
          ...programListsApps_workspace
        }
      }
    `,
    { workspaceID },
    listVersion,
  )
  useLiveApps(latestEventCursor, reload)
  if (!viewer || !workspace) return null
  const { permissions } = viewer
  const isAdmin = permissions.includes('manageApps')
  const settings = `/${workspaceID}/settings`
  return (
    <div>
      <PageHeader title="Apps">
        Programs that read and write in this workspace.
        {!isAdmin && ' You see those that you manage. Admins see all.'}
      </PageHeader>
      <Section
        title="Webhooks"
        text="A webhook is a URL to which programs send messages, for example with curl."
        actions={
          permissions.includes('createWebhooks') && (
            <Button size="xs" leftSection={add} component={Link} to={`${settings}/webhooks/new`}>
              Add webhook
            </Button>
          )
        }
      >
        {!permissions.includes('createWebhooks') && (
          <Text size="sm">
            Only admins can add webhooks. In the workspace settings, admins can allow this for all members.
          </Text>
        )}
        <WebhookList workspace={workspace} />
      </Section>
      <Section
        title="Installed apps"
        text="Each app acts as its own user, with its own permissions."
        actions={
          isAdmin && (
            <Button
              variant="default"
              size="xs"
              leftSection={add}
              component={Link}
              to={`${settings}/apps/install`}
            >
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
            <Button
              variant="default"
              size="xs"
              leftSection={add}
              component={Link}
              to={`${settings}/apps/new`}
            >
              Create an app
            </Button>
          )
        }
      >
        {!permissions.includes('createApps') && (
          <Text size="sm">
            {workspace.customAppsEnabled
              ? 'Only admins can create apps. In the workspace settings, admins can allow this for all members.'
              : 'Apps cannot be created in this workspace. Admins can change this in the workspace settings.'}
          </Text>
        )}
        <AppList workspace={workspace} />
      </Section>
    </div>
  )
}

const pauseMs = 1000

/** Calls a function when the webhooks or the installed apps change, at most once a second. */
function useLiveApps(after: string | null | undefined, reload: () => void): void {
  const changed = useThrottledCallback(reload, pauseMs)
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription appsPageLiveSubscription($after: String) {
          events(
            types: [webhookCreated, webhookUpdated, webhookDisabled, webhookDeleted, appInstalled, appUninstalled]
            after: $after
          ) {
            cursor
          }
        }
      `,
      variables: {},
      updater: changed,
    }),
    [changed],
  )
  useStream<appsPageLiveSubscription>(config, { after, reload })
}
