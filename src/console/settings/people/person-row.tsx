import { Badge, NativeSelect, Text } from '@mantine/core'
import { graphql, useFragment, useRelayEnvironment } from 'react-relay/hooks'
import { ConnectionHandler } from 'relay-runtime'
import type {
  personRow_member$data,
  personRow_member$key,
} from '../../../generated/console/personRow_member.graphql.ts'
import type { personRowDeleteMutation } from '../../../generated/console/personRowDeleteMutation.graphql.ts'
import type { personRowRoleMutation } from '../../../generated/console/personRowRoleMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { PersonMenu } from '../../people/person-menu.tsx'
import { useAction } from '../../relay/use-action.ts'
import { Row } from '../layout/rows.tsx'
import { InvitedPersonMenu } from './invited-person-menu.tsx'

type Props = { member: personRow_member$key; groupID: string; listID: string; canChange: boolean }

export function PersonRow({ member, groupID, listID, canChange }: Props) {
  const environment = useRelayEnvironment()
  const edge = useFragment(
    graphql`
      fragment personRow_member on MemberEdge { __id role node { id name email isInvited } }
    `,
    member,
  )
  const { id, name, email, isInvited } = edge.node
  if (!canChange)
    return (
      <Row title={name} text={email}>
        <Text size="sm">{edge.role === 'admin' ? 'Admin' : 'Member'}</Text>
        <PersonMenu user={edge.node} />
      </Row>
    )
  return (
    <Row title={name} text={email}>
      {isInvited && (
        <Badge size="sm" variant="default" tt="none">
          Invited
        </Badge>
      )}
      <RoleSelect member={edge} groupID={groupID} />
      <ActionButton<personRowDeleteMutation>
        label="Deactivate"
        name={`Deactivate ${name}`}
        isDestructive
        confirmation={{
          title: `Deactivate ${name}?`,
          text: `${name} is removed from the workspace and all its groups immediately. Messages by ${name} stay. You can restore ${name} later. Apps and webhooks that ${name} created continue to work.`,
        }}
        mutation={graphql`
          mutation personRowDeleteMutation($input: DeleteUserInput!) {
            deleteUser(input: $input) { removedUserID }
          }
        `}
        variables={{ input: { userID: id } }}
        onDone={() => forgetDirectory(environment)}
        updater={(store) => {
          const list = store.getRootField('deleteUser') && store.get(listID)
          if (list) ConnectionHandler.deleteNode(list, id)
        }}
      />
      {isInvited && email ? (
        <InvitedPersonMenu user={edge.node} email={email} />
      ) : (
        <PersonMenu user={edge.node} />
      )}
    </Row>
  )
}

type RoleSelectProps = { member: personRow_member$data; groupID: string }

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
]

function RoleSelect({ member: { __id, role, node }, groupID }: RoleSelectProps) {
  const { run, isRunning, problem } = useAction<personRowRoleMutation>(graphql`
    mutation personRowRoleMutation($input: UpdateMemberInput!) {
      updateMember(input: $input) { memberEdge { role } }
    }
  `)
  const change = (role: 'admin' | 'member') =>
    run({ input: { groupID, userID: node.id, role } }, undefined, (store) => {
      if (store.getRootField('updateMember')) store.get(__id)?.setValue(role, 'role')
    })
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${node.name}`}
      data={roles}
      value={role}
      disabled={isRunning}
      error={problem}
      onChange={(event) => change(event.currentTarget.value === 'admin' ? 'admin' : 'member')}
    />
  )
}
