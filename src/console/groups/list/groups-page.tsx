import { Button, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { groupsPageQuery } from '../../../generated/console/groupsPageQuery.graphql.ts'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { Page } from '../../page/page.tsx'
import { matches } from '../../people/picker/use-search.ts'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { GroupRow } from './group-row.tsx'
import { MoreGroups } from './more-groups.tsx'
import { useAllGroups } from './use-all-groups.ts'

/** The groups that the person can see. The groups that they have joined come first. */
export default function GroupsPage() {
  const { workspaceID } = useParams()
  const [search, setSearch] = useState('')
  const query = useQuery<groupsPageQuery>(
    graphql`query groupsPageQuery { ...useAllGroups_query }`,
    {},
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
      <TextInput
        aria-label="Filter groups"
        placeholder="Filter by name or description"
        maxLength={100}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="sm"
      />
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
