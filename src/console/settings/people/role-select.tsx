import { NativeSelect } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { roleSelect_member$key } from '../../../generated/console/roleSelect_member.graphql.ts'
import type { roleSelectMutation } from '../../../generated/console/roleSelectMutation.graphql.ts'
import { useAction } from '../../relay/use-action.ts'

type Props = { member: roleSelect_member$key; groupID: string }

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
]

export function RoleSelect({ member, groupID }: Props) {
  const { __id, role, node } = useFragment(
    graphql`fragment roleSelect_member on MemberEdge { __id role node { id name } }`,
    member,
  )
  const { run, isRunning, problem } = useAction<roleSelectMutation>(graphql`
    mutation roleSelectMutation($input: UpdateMemberInput!) {
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
