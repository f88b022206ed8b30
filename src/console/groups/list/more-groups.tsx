import { Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { moreGroupsQuery } from '../../../generated/console/moreGroupsQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { GroupRow } from './group-row.tsx'

type Props = { search: string; listed: ReadonlySet<string> }

/** Shows groups that the list has not loaded. The service finds them by name. */
export function MoreGroups({ search, listed }: Props) {
  const { groups } = useQuery<moreGroupsQuery>(
    graphql`
      query moreGroupsQuery($search: String!) {
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
