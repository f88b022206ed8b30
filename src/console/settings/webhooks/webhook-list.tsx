import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { webhookList_workspace$key } from '../../../generated/console/webhookList_workspace.graphql.ts'
import { usePages } from '../../relay/use-pages.ts'
import { createdBy } from '../../text/created-by.ts'
import { lastUsed } from '../../text/last-used.ts'
import { Row, Rows } from '../layout/rows.tsx'

export function WebhookList({ workspace }: { workspace: webhookList_workspace$key }) {
  const { workspaceID } = useParams()
  const { data, more } = usePages(
    graphql`
      fragment webhookList_workspace on Workspace
      @refetchable(queryName: "webhookListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        webhooks(first: $first, after: $after) @connection(key: "webhookList_webhooks") {
          edges { node { id name description createdAt disabledAt lastUsedAt creator { name } } }
        }
      }
    `,
    workspace,
  )
  return (
    <Rows label="Webhooks" empty="You do not manage any webhooks." more={more}>
      {(data.webhooks?.edges ?? []).map(({ node }) => (
        <Row
          key={node.id}
          title={node.name}
          to={`/${workspaceID}/settings/webhooks/${node.id}`}
          text={[node.disabledAt && 'Disabled', node.description, createdBy(node), lastUsed(node.lastUsedAt)]
            .filter(Boolean)
            .join(' · ')}
        />
      ))}
    </Rows>
  )
}
