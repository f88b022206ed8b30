import { Badge, Menu, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment, useRelayEnvironment } from 'react-relay/hooks'
import { ConnectionHandler } from 'relay-runtime'
import type {
  personRow_member$data,
  personRow_member$key,
} from '../../../generated/console/personRow_member.graphql.ts'
import type { personRowDeleteMutation } from '../../../generated/console/personRowDeleteMutation.graphql.ts'
import type { personRowPictureMutation } from '../../../generated/console/personRowPictureMutation.graphql.ts'
import type { personRowRoleMutation } from '../../../generated/console/personRowRoleMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { PersonMenu } from '../../people/person-menu.tsx'
import { useAction } from '../../relay/use-action.ts'
import { useViewer } from '../../session/viewer.ts'
import { Row } from '../layout/rows.tsx'
import { EndSessionsDialog } from './end-sessions-dialog.tsx'
import { MailLinkMenu } from './mail-link-menu.tsx'
import { NewLink } from './new-link.tsx'

type Props = {
  member: personRow_member$key
  groupID: string
  listID: string
  canChange: boolean
  onChange: () => void
}

export function PersonRow({ member, groupID, listID, canChange, onChange }: Props) {
  const environment = useRelayEnvironment()
  const edge = useFragment(
    graphql`
      fragment personRow_member on MemberEdge { __id role node { id name email kind avatarURL isInvited } }
    `,
    member,
  )
  const { id, name, email, isInvited } = edge.node
  if (!canChange)
    return (
      <Row title={name} picture={edge.node} text={email}>
        <Text size="sm">{edge.role === 'admin' ? 'Admin' : 'Member'}</Text>
        <PersonMenu user={edge.node} />
      </Row>
    )
  return (
    <Row title={name} picture={edge.node} text={email}>
      {isInvited && <Badge>Not signed in yet</Badge>}
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
      <MemberMenu user={edge.node} onChange={onChange} />
    </Row>
  )
}

type MemberMenuProps = { user: personRow_member$data['node']; onChange: () => void }

/** The menu of a person. It also helps the person to join, or to sign in again. */
function MemberMenu({ user, onChange }: MemberMenuProps) {
  const { permissions } = useViewer()
  const { email, isInvited } = user
  const removal = useAction<personRowPictureMutation>(graphql`
    mutation personRowPictureMutation($input: UpdateUserInput!) {
      updateUser(input: $input) { user { id avatarURL } }
    }
  `)
  const [isEnding, setEnding] = useState(false)
  const items = (
    <>
      <Menu.Item onClick={() => setEnding(true)}>End all sessions</Menu.Item>
      {user.avatarURL && (
        <Menu.Item onClick={() => removal.run({ input: { userID: user.id, avatarFileID: null } })}>
          Remove the picture
        </Menu.Item>
      )}
    </>
  )
  if (email && isInvited)
    return (
      <NewLink user={user} email={email} onInvited={onChange}>
        {(invite) => (
          <PersonMenu user={user}>
            <Menu.Item onClick={invite}>New invitation link</Menu.Item>
          </PersonMenu>
        )}
      </NewLink>
    )
  return (
    <>
      {email && permissions.includes('mailSignInLinks') ? (
        <MailLinkMenu user={user} email={email}>
          {items}
        </MailLinkMenu>
      ) : (
        <PersonMenu user={user}>{items}</PersonMenu>
      )}
      <ProblemText problem={removal.problem} />
      {isEnding && <EndSessionsDialog user={user} onClose={() => setEnding(false)} />}
    </>
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
