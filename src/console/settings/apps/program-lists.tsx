import { Menu } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { programListsApps_workspace$key } from '../../../generated/console/programListsApps_workspace.graphql.ts'
import type { programListsInstallations_workspace$key } from '../../../generated/console/programListsInstallations_workspace.graphql.ts'
import type { programListsWebhooks_workspace$key } from '../../../generated/console/programListsWebhooks_workspace.graphql.ts'
import { CopyItem } from '../../page/copying.tsx'
import { MoreButton } from '../../page/show-more.tsx'
import { usePages } from '../../relay/use-pages.ts'
import { createdBy } from '../../text/created-by.ts'
import { shortTime } from '../../text/time.ts'
import { useToday } from '../../text/use-today.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { stoppedState } from '../webhooks/webhook-state.ts'

/** The apps that were created in the workspace. */
export function AppList({ workspace }: { workspace: programListsApps_workspace$key }) {
  const { workspaceID } = useParams()
  const { data, more } = usePages(
    graphql`
      fragment programListsApps_workspace on Workspace
      @refetchable(queryName: "programListsAppsPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        apps(first: $first, after: $after) @connection(key: "programListsApps_apps") {
          edges { node { id name description avatarURL createdAt isPublic isListed creator { name } } }
        }
      }
    `,
    workspace,
  )
  return (
    <Rows label="Apps of this workspace" empty="None." more={more}>
      {(data.apps?.edges ?? []).map(({ node }) => (
        <Row
          key={node.id}
          title={node.name}
          picture={{ ...node, kind: 'app' }}
          to={`/${workspaceID}/settings/apps/${node.id}`}
          text={[node.description, createdBy(node), node.isPublic && 'Public', node.isListed && 'Listed']
            .filter(Boolean)
            .join(' · ')}
        >
          <ProgramMenu name={node.name} label="Copy client ID" id={node.id} />
        </Row>
      ))}
    </Rows>
  )
}

export function InstallationList({ workspace }: { workspace: programListsInstallations_workspace$key }) {
  const { workspaceID } = useParams()
  const { data, more } = usePages(
    graphql`
      fragment programListsInstallations_workspace on Workspace
      @refetchable(queryName: "programListsInstallationsPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        installations(first: $first, after: $after) @connection(key: "programListsInstallations_installations") {
          edges { node { id scopes user { id name kind avatarURL } app { id name description } } }
        }
      }
    `,
    workspace,
  )
  return (
    <Rows label="Installed apps" empty="None." more={more}>
      {(data.installations?.edges ?? []).map(({ node: { id, user, app, scopes } }) => (
        <Row
          key={id}
          title={app.name}
          picture={user}
          to={`/${workspaceID}/settings/apps/${app.id}`}
          text={[app.description, permissionCount(scopes)].filter(Boolean).join(' · ')}
        >
          <ProgramMenu name={app.name} label="Copy client ID" id={app.id} />
        </Row>
      ))}
    </Rows>
  )
}

export function WebhookList({ workspace }: { workspace: programListsWebhooks_workspace$key }) {
  const { workspaceID } = useParams()
  const today = useToday()
  const { data, more } = usePages(
    graphql`
      fragment programListsWebhooks_workspace on Workspace
      @refetchable(queryName: "programListsWebhooksPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        webhooks(first: $first, after: $after) @connection(key: "programListsWebhooks_webhooks") {
          edges {
            node {
              id name description createdAt disabledAt expiresAt lastUsedAt creator { name }
              user { id name kind avatarURL }
            }
          }
        }
      }
    `,
    workspace,
  )
  return (
    <Rows label="Webhooks" empty="None." more={more}>
      {(data.webhooks?.edges ?? []).map(({ node }) => (
        <Row
          key={node.id}
          title={node.name}
          picture={node.user}
          to={`/${workspaceID}/settings/webhooks/${node.id}`}
          text={[stoppedState(node), node.description, createdBy(node)].filter(Boolean).join(' · ')}
          fact={node.lastUsedAt ? `Used ${shortTime(node.lastUsedAt, today)}` : 'Never used'}
        >
          <ProgramMenu name={node.name} label="Copy ID for programs" id={node.id} />
        </Row>
      ))}
    </Rows>
  )
}

/** The button with three dots of a webhook or an app. */
function ProgramMenu({ name, label, id }: { name: string; label: string; id: string }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <MoreButton aria-label={`Actions for ${name}`} />
      </Menu.Target>
      <Menu.Dropdown>
        <CopyItem label={label} text={id} />
      </Menu.Dropdown>
    </Menu>
  )
}

function permissionCount({ length }: readonly string[]): string {
  return length === 1 ? '1 permission' : `${length} permissions`
}
