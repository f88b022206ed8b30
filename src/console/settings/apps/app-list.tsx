import { graphql, usePaginationFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { appList_workspace$key } from '../../../generated/console/appList_workspace.graphql.ts'
import type { appListPageQuery } from '../../../generated/console/appListPageQuery.graphql.ts'
import { dateOf } from '../../text/time.ts'
import { Row, Rows, ShowMore } from '../layout/rows.tsx'

/** The apps that were created in the workspace. */
export function AppList({ workspace }: { workspace: appList_workspace$key }) {
  const { workspaceID } = useParams()
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<
    appListPageQuery,
    appList_workspace$key
  >(
    graphql`
      fragment appList_workspace on Workspace
      @refetchable(queryName: "appListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        apps(first: $first, after: $after) @connection(key: "appList_apps") {
          edges { node { id name createdAt isPublic isListed creator { name } } }
        }
      }
    `,
    workspace,
  )
  return (
    <>
      <Rows label="Apps of this workspace" empty="No app was created here, or none that you manage.">
        {(data.apps?.edges ?? []).map(({ node: { id, name, createdAt, isPublic, isListed, creator } }) => (
          <Row
            key={id}
            title={name}
            to={`/${workspaceID}/settings/apps/${id}`}
            text={[
              `Created by ${creator?.name ?? 'the operator'}, ${dateOf(createdAt)}`,
              isPublic && 'no client secret',
              isListed && 'other workspaces can install it',
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        ))}
      </Rows>
      <ShowMore hasMore={hasNext} isLoading={isLoadingNext} onMore={() => loadNext(50)} />
    </>
  )
}
