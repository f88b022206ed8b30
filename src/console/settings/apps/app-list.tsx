import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { appList_workspace$key } from '../../../generated/console/appList_workspace.graphql.ts'
import { usePages } from '../../relay/use-pages.ts'
import { createdBy } from '../../text/created-by.ts'
import { Row, Rows } from '../layout/rows.tsx'

/** The apps that were created in the workspace. */
export function AppList({ workspace }: { workspace: appList_workspace$key }) {
  const { workspaceID } = useParams()
  const { data, more } = usePages(
    graphql`
      fragment appList_workspace on Workspace
      @refetchable(queryName: "appListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        apps(first: $first, after: $after) @connection(key: "appList_apps") {
          edges { node { id name description createdAt isPublic isListed creator { name } } }
        }
      }
    `,
    workspace,
  )
  return (
    <Rows label="Apps of this workspace" empty="You do not manage any apps." more={more}>
      {(data.apps?.edges ?? []).map(({ node }) => (
        <Row
          key={node.id}
          title={node.name}
          to={`/${workspaceID}/settings/apps/${node.id}`}
          text={[node.description, createdBy(node), node.isPublic && 'Public', node.isListed && 'Listed']
            .filter(Boolean)
            .join(' · ')}
        />
      ))}
    </Rows>
  )
}
