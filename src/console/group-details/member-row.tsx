import { Badge, Box, Group, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { memberRow_edge$key } from '../../generated/console/memberRow_edge.graphql.ts'
import type { memberRowRemoveMutation } from '../../generated/console/memberRowRemoveMutation.graphql.ts'
import type { memberRowRoleMutation } from '../../generated/console/memberRowRoleMutation.graphql.ts'
import { Avatar } from '../page/avatar.tsx'
import { Confirmation } from '../page/dialogs/confirmation.tsx'
import { useFocusReturn } from '../page/dialogs/use-focus-return.ts'
import { ProblemText } from '../page/problems/problem.tsx'
import { PersonMenu } from '../people/person-menu.tsx'
import { useAction } from '../relay/use-action.ts'

type MemberGroup = { id: string; isGeneral: boolean; viewerCanAdminister: boolean }
type Props = { edge: memberRow_edge$key; group: MemberGroup; onChanged: () => void }

const kinds: Record<string, string> = { app: ' · App', webhook: ' · Webhook' }

/** A member of a group. Admins of the group can change the role and remove the member. */
export function MemberRow({ group, onChanged, ...props }: Props) {
  const { role, node } = useFragment(
    graphql`fragment memberRow_edge on MemberEdge { role node { id name email kind avatarURL } }`,
    props.edge,
  )
  const setRole = useAction<memberRowRoleMutation>(graphql`
    mutation memberRowRoleMutation($input: UpdateMemberInput!) {
      updateMember(input: $input) { group { ...groupHeader_group } }
    }
  `)
  const [isRemoving, setRemoving] = useState(false)
  const member = { groupID: group.id, userID: node.id }
  const other = role === 'admin' ? 'member' : 'admin'
  return (
    <>
      <Group wrap="nowrap" py={2} gap="sm">
        <Avatar user={node} size="md" />
        <Box miw={0}>
          <Text size="sm" component="span" display="block" truncate dir="auto">
            {node.name}
            {kinds[node.kind]}
          </Text>
          {node.email && (
            <Text size="xs" c="dimmed" truncate title={node.email}>
              {node.email}
            </Text>
          )}
        </Box>
        {role === 'admin' && <Badge>Admin</Badge>}
        <Box ms="auto">
          <PersonMenu user={node}>
            {group.viewerCanAdminister && (
              <Menu.Item onClick={() => setRole.run({ input: { ...member, role: other } }, onChanged)}>
                {other === 'admin' ? 'Make admin' : 'Make member'}
              </Menu.Item>
            )}
            {group.viewerCanAdminister && !group.isGeneral && (
              <Menu.Item c="var(--mantine-color-error)" onClick={() => setRemoving(true)}>
                Remove from group
              </Menu.Item>
            )}
          </PersonMenu>
        </Box>
      </Group>
      <ProblemText problem={setRole.problem} />
      {isRemoving && (
        <RemoveMember
          groupID={group.id}
          user={node}
          onRemoved={onChanged}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}

type RemoveMemberProps = {
  groupID: string
  user: { id: string; name: string }
  onRemoved: () => void
  onClose: () => void
}

function RemoveMember({ groupID, user, onRemoved, onClose }: RemoveMemberProps) {
  useFocusReturn()
  const { run, isRunning, problem } = useAction<memberRowRemoveMutation>(graphql`
    mutation memberRowRemoveMutation($input: RemoveMembersInput!) {
      removeMembers(input: $input) { group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  const remove = () =>
    run({ input: { groupID, userIDs: [user.id] } }, () => {
      onClose()
      onRemoved()
    })
  return (
    <Confirmation
      title={`Remove ${user.name} from the group?`}
      text={`${user.name} will no longer receive messages from the group. You can add ${user.name} again.`}
      action="Remove"
      isDestructive
      isOpen
      isRunning={isRunning}
      problem={problem}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
