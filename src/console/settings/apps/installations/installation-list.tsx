import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { installationList_workspace$key } from '../../../../generated/console/installationList_workspace.graphql.ts'
import { usePages } from '../../../relay/use-pages.ts'
import { Row, Rows } from '../../layout/rows.tsx'
import { ScopeList } from '../../scopes/scope-list.tsx'

export function InstallationList({ workspace }: { workspace: installationList_workspace$key }) {
  const { workspaceID } = useParams()
  const { data, more } = usePages(
    graphql`
      fragment installationList_workspace on Workspace
      @refetchable(queryName: "installationListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        installations(first: $first, after: $after) @connection(key: "installationList_installations") {
          edges { node { id scopes app { id name description } } }
        }
      }
    `,
    workspace,
  )
  return (
    <Rows label="Installed apps" empty="You do not manage any installed apps." more={more}>
      {(data.installations?.edges ?? []).map(({ node: { id, app, scopes } }) => (
        <Row
          key={id}
          title={app.name}
          to={`/${workspaceID}/settings/apps/${app.id}`}
          text={
            <>
              {app.description}
              <ScopeList scopes={scopes} />
            </>
          }
        />
      ))}
    </Rows>
  )
}
