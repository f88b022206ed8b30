import { graphql } from 'react-relay/hooks'
import type { peopleList_group$key } from '../../../generated/console/peopleList_group.graphql.ts'
import { usePages } from '../../relay/use-pages.ts'
import { Rows } from '../layout/rows.tsx'
import { PersonRow } from './person-row.tsx'

type Props = { group: peopleList_group$key; isAdmin: boolean; viewerID: string }

/** The people of the workspace, who are the members of the General group. Users of apps and webhooks are left out. */
export function PeopleList({ group, isAdmin, viewerID }: Props) {
  const { data, more } = usePages(
    graphql`
      fragment peopleList_group on Group
      @refetchable(queryName: "peopleListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        id
        members(first: $first, after: $after) @connection(key: "peopleList_members") {
          __id
          edges { __id node { id kind } ...personRow_member }
        }
      }
    `,
    group,
  )
  const people = (data.members?.edges ?? []).filter(({ node }) => node.kind === 'person')
  return (
    <Rows label="People" empty="There are no people yet." more={more}>
      {people.map((member) => (
        <PersonRow
          key={member.node.id}
          member={member}
          groupID={data.id}
          listID={data.members?.__id ?? ''}
          canChange={isAdmin && member.node.id !== viewerID}
        />
      ))}
    </Rows>
  )
}
