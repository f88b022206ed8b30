import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { ConnectionHandler } from 'relay-runtime'
import type { personRow_member$key } from '../../../generated/console/personRow_member.graphql.ts'
import type { personRowDeleteMutation } from '../../../generated/console/personRowDeleteMutation.graphql.ts'
import { Row } from '../layout/rows.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { RoleSelect } from './role-select.tsx'

type Props = { member: personRow_member$key; groupID: string; listID: string; canChange: boolean }

export function PersonRow({ member, groupID, listID, canChange }: Props) {
  const edge = useFragment(
    graphql`
      fragment personRow_member on MemberEdge { __id role node { id name email } ...roleSelect_member }
    `,
    member,
  )
  const { id, name, email } = edge.node
  if (!canChange)
    return (
      <Row title={name} text={email}>
        <Text size="sm">{edge.role === 'admin' ? 'Admin' : 'Member'}</Text>
      </Row>
    )
  return (
    <Row title={name} text={email}>
      <RoleSelect member={edge} groupID={groupID} />
      <ActionButton<personRowDeleteMutation>
        label="Deactivate"
        name={`Deactivate ${name}`}
        isDestructive
        question={{
          title: `Deactivate ${name}?`,
          text: `${name} leaves the workspace and all its groups at once. The messages stay. Apps and webhooks that ${name} created continue to work.`,
        }}
        mutation={graphql`
          mutation personRowDeleteMutation($input: DeleteUserInput!) {
            deleteUser(input: $input) { removedUserID }
          }
        `}
        variables={{ input: { userID: id } }}
        updater={(store) => {
          const list = store.getRootField('deleteUser') && store.get(listID)
          if (list) ConnectionHandler.deleteNode(list, id)
        }}
      />
    </Row>
  )
}
