import { Button, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { graphql, usePaginationFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { groupsPage_query$key } from '../../generated/console/groupsPage_query.graphql.ts'
import type { groupsPageGroupsQuery } from '../../generated/console/groupsPageGroupsQuery.graphql.ts'
import type { groupsPageMoreQuery } from '../../generated/console/groupsPageMoreQuery.graphql.ts'
import type { groupsPageQuery } from '../../generated/console/groupsPageQuery.graphql.ts'
import { FilterField } from '../page/forms/filter-field.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { Page } from '../page/page.tsx'
import { matches } from '../people/directory.ts'
import { useAllPages } from '../relay/use-pages.ts'
import { useQuery } from '../relay/use-query.ts'
import { useViewer } from '../session/viewer.ts'
import { GroupRow } from './group-row.tsx'

type PageProps = {
  pins: ReactNode
  /** Whether no sidebar shows which groups have unread threads. */
  withUnread: boolean
}

/** The groups that the person can see, below `pins`. The groups that they have joined come first. */
export default function GroupsPage({ pins, withUnread }: PageProps) {
  const { workspaceID } = useParams()
  const [search, setSearch] = useState('')
  const query = useQuery<groupsPageQuery>(
    graphql`
      query groupsPageQuery($withUnread: Boolean!) { ...groupsPage_query @arguments(withUnread: $withUnread) }
    `,
    { withUnread },
    { fetchKey: useViewer().listVersion, fetchPolicy: 'store-and-network' },
  )
  const words = search.trim()
  const [settledWords] = useDebouncedValue(words, 300)
  const all = useAllGroups(query)
  const groups = all.groups
    .filter(({ name, description }) => matches(`${name} ${description ?? ''}`, words))
    .sort(
      (one, other) =>
        Number(!one.viewerRole) - Number(!other.viewerRole) || one.name.localeCompare(other.name),
    )
  return (
    <Page
      title="Groups"
      actions={
        <Button component={Link} to={`/${workspaceID}/groups/new`} variant="default">
          Create group
        </Button>
      }
    >
      <FilterField
        label="Filter groups"
        placeholder="Filter by name or description"
        value={search}
        onChange={setSearch}
      />
      {words === '' && pins}
      {groups.map((group) => (
        <GroupRow key={group.id} group={group} />
      ))}
      {all.hasOthers && settledWords !== '' && (
        <LoadingBoundary>
          <MoreGroups search={settledWords} listed={new Set(groups.map(({ id }) => id))} />
        </LoadingBoundary>
      )}
      {all.hasOthers && words === '' && (
        <Text c="dimmed" mt="sm">
          Only the oldest {all.groups.length.toLocaleString()} groups are listed. To find another one, type
          its name.
        </Text>
      )}
      {groups.length === 0 && !all.hasOthers && (
        <Text c="dimmed">No groups match. Change the filter, or create a group.</Text>
      )}
    </Page>
  )
}

/** Loads the first 2,000 groups that the person can see. Returns them, and whether there are more. */
function useAllGroups(query: groupsPage_query$key) {
  const { data, ...pages } = usePaginationFragment<groupsPageGroupsQuery, groupsPage_query$key>(
    graphql`
      fragment groupsPage_query on Query
      @refetchable(queryName: "groupsPageGroupsQuery")
      @argumentDefinitions(
        withUnread: { type: "Boolean!" }
        first: { type: "Int", defaultValue: 100 }
        after: { type: "String" }
      ) {
        groups(first: $first, after: $after) @connection(key: "groupsPage_groups") {
          edges { node { id name description viewerRole ...groupRow_group @arguments(withUnread: $withUnread) } }
        }
      }
    `,
    query,
  )
  // The node is null after the person has left a private group.
  const groups = data.groups?.edges.flatMap(({ node }) => node ?? []) ?? []
  const hasOthers = useAllPages(pages, groups.length)
  return { groups, hasOthers }
}

type Props = { search: string; listed: ReadonlySet<string> }

/** Shows groups that the list has not loaded. The service finds them by name. */
function MoreGroups({ search, listed }: Props) {
  const { groups } = useQuery<groupsPageMoreQuery>(
    graphql`
      query groupsPageMoreQuery($search: String!) {
        groups(search: $search, first: 50) { nodes { id ...groupRow_group } }
      }
    `,
    { search },
  )
  const others = (groups?.nodes ?? []).filter(({ id }) => !listed.has(id))
  return (
    <>
      {others.map((group) => (
        <GroupRow key={group.id} group={group} />
      ))}
      {others.length === 0 && listed.size === 0 && <Text c="dimmed">No groups match.</Text>}
    </>
  )
}
