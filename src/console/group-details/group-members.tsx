import { Button, Group, List } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { groupMembersAddMutation } from '../../generated/console/groupMembersAddMutation.graphql.ts'
import type { groupMembersList_group$key } from '../../generated/console/groupMembersList_group.graphql.ts'
import { ProblemText } from '../page/problems/problem.tsx'
import { ShowMore } from '../page/show-more.tsx'
import { RecipientSelect } from '../people/picker/recipient-select.tsx'
import { useAction } from '../relay/use-action.ts'
import { usePages } from '../relay/use-pages.ts'
import { MemberRow } from './member-row.tsx'

type AddMembersProps = { groupID: string; onAdded: () => void }

export function AddMembers({ groupID, onAdded }: AddMembersProps) {
  const [userIDs, setUserIDs] = useState<string[]>([])
  const { run, isRunning, problem } = useAction<groupMembersAddMutation>(graphql`
    mutation groupMembersAddMutation($input: AddMembersInput!) {
      addMembers(input: $input) { group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  const add = () =>
    run({ input: { groupID, userIDs } }, () => {
      setUserIDs([])
      onAdded()
    })
  return (
    <Group align="end" gap="sm" py="sm">
      <RecipientSelect
        flex={1}
        miw={0}
        label="Add people"
        kind="members"
        value={userIDs}
        onChange={setUserIDs}
      />
      <Button onClick={add} loading={isRunning} disabled={userIDs.length === 0}>
        Add
      </Button>
      <ProblemText problem={problem} />
    </Group>
  )
}

type MemberListProps = { group: groupMembersList_group$key; onChanged: () => void }

export function MemberList({ group, onChanged }: MemberListProps) {
  const { data, more } = usePages(
    graphql`
      fragment groupMembersList_group on Group
      @refetchable(queryName: "groupMembersListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        id isGeneral viewerCanAdminister
        members(first: $first, after: $after) @connection(key: "groupMembersList_members") {
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
