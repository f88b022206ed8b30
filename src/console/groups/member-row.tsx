import { Badge, Group, Menu, Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { memberRow_edge$key } from '../../generated/console/memberRow_edge.graphql.ts'
import type { memberRowRemoveMutation } from '../../generated/console/memberRowRemoveMutation.graphql.ts'
import type { memberRowRoleMutation } from '../../generated/console/memberRowRoleMutation.graphql.ts'
import { MoreButton } from '../page/more-button.tsx'
import { ProblemText } from '../page/problem-text.tsx'
import { useAction } from '../relay/use-action.ts'

type MemberGroup = { id: string; isGeneral: boolean; viewerCanAdminister: boolean }
type Props = { edge: memberRow_edge$key; group: MemberGroup; onChanged: () => void }

const kinds: Record<string, string> = { app: ' · App', webhook: ' · Webhook' }

/** A member of a group. Admins of the group can change the role and remove the member. */
export function MemberRow({ group, onChanged, ...props }: Props) {
  const { role, node } = useFragment(
    graphql`fragment memberRow_edge on MemberEdge { role node { id name kind } }`,
    props.edge,
  )
  const setRole = useAction<memberRowRoleMutation>(graphql`
    mutation memberRowRoleMutation($input: UpdateMemberInput!) {
      updateMember(input: $input) { group { ...groupHeader_group } }
    }
  `)
  const remove = useAction<memberRowRemoveMutation>(graphql`
    mutation memberRowRemoveMutation($input: RemoveMembersInput!) {
      removeMembers(input: $input) { group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  const member = { groupID: group.id, userID: node.id }
  const other = role === 'admin' ? 'member' : 'admin'
  return (
    <>
      <Group wrap="nowrap" py={4} gap="xs">
        <Text truncate>
          {node.name}
          {kinds[node.kind]}
        </Text>
        {role === 'admin' && (
          <Badge size="sm" variant="default" tt="none">
            Admin
          </Badge>
        )}
        {group.viewerCanAdminister && (
          <Menu position="bottom-end">
            <Menu.Target>
              <MoreButton ml="auto" aria-label={`Actions for ${node.name}`} />
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setRole.run({ input: { ...member, role: other } }, onChanged)}>
                {other === 'admin' ? 'Make admin' : 'Make member'}
              </Menu.Item>
              {!group.isGeneral && (
                <Menu.Item
                  color="red"
                  onClick={() => remove.run({ input: { groupID: group.id, userIDs: [node.id] } }, onChanged)}
                >
                  Remove from the group
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <ProblemText problem={setRole.problem ?? remove.problem} />
    </>
  )
}
