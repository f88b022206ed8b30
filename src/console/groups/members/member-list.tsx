import { List } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { memberList_group$key } from '../../../generated/console/memberList_group.graphql.ts'
import { ShowMore } from '../../page/show-more.tsx'
import { usePages } from '../../relay/use-pages.ts'
import { MemberRow } from './member-row.tsx'

type Props = { group: memberList_group$key; onChanged: () => void }

export function MemberList({ group, onChanged }: Props) {
  const { data, more } = usePages(
    graphql`
      fragment memberList_group on Group
      @refetchable(queryName: "memberListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        id isGeneral viewerCanAdminister
        members(first: $first, after: $after) @connection(key: "memberList_members") {
          edges { role node { id } ...memberRow_edge }
        }
      }
    `,
    group,
  )
  const { id, isGeneral, viewerCanAdminister } = data
  return (
    <>
      <List listStyleType="none" styles={{ itemWrapper: { display: 'block' } }}>
        {data.members?.edges.map((edge) => (
          <List.Item key={edge.node.id}>
            <MemberRow edge={edge} group={{ id, isGeneral, viewerCanAdminister }} onChanged={onChanged} />
          </List.Item>
        ))}
      </List>
      <ShowMore {...more} />
    </>
  )
}
