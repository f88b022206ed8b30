import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { groupsPageQuery } from '../../generated/console/groupsPageQuery.graphql.ts'
import { Page } from '../page/page.tsx'
import { useViewer } from '../workspace/viewer.ts'
import { GroupRow } from './group-row.tsx'
import { useAllGroups } from './use-all-groups.ts'

/** The groups that the person can see. Those that they joined come first. */
export default function GroupsPage() {
  const { workspaceID } = useParams()
  const [search, setSearch] = useState('')
  const query = useLazyLoadQuery<groupsPageQuery>(
    graphql`query groupsPageQuery { ...useAllGroups_query }`,
    {},
    { fetchKey: useViewer().listVersion, fetchPolicy: 'store-and-network' },
  )
  const words = search.trim().toLowerCase()
  const groups = useAllGroups(query)
    .filter(({ name, description }) => `${name} ${description ?? ''}`.toLowerCase().includes(words))
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
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="sm"
      />
      {groups.map((group) => (
        <GroupRow key={group.id} group={group} />
      ))}
      {groups.length === 0 && (
        <Text c="dimmed">No group matches. Change the filter, or create the group.</Text>
      )}
    </Page>
  )
}
