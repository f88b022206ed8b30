import { Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { invitedPersonMenuMutation } from '../../../generated/console/invitedPersonMenuMutation.graphql.ts'
import { Dialog } from '../../page/dialogs/dialog.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { PersonMenu } from '../../people/person-menu.tsx'
import { useAction } from '../../relay/use-action.ts'
import { type Invitation, InvitationResult } from './invite-form.tsx'

type Props = { user: { id: string; name: string }; email: string }

/** The menu of a person who has not signed in yet. It creates a new invitation, and shows the result in a dialog. */
export function InvitedPersonMenu({ user, email }: Props) {
  const { workspaceID = '' } = useParams()
  const [isOpen, setOpen] = useState(false)
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const { run, problem } = useAction<invitedPersonMenuMutation>(graphql`
    mutation invitedPersonMenuMutation($input: InviteUserInput!) { inviteUser(input: $input) { invitationURL } }
  `)
  const invite = () => {
    setInvitation(null)
    setOpen(true)
    run({ input: { workspaceID, email } }, ({ inviteUser }) =>
      setInvitation({ email, url: inviteUser?.invitationURL ?? null }),
    )
  }
  return (
    <>
      <PersonMenu user={user}>
        <Menu.Item onClick={invite}>New invitation link</Menu.Item>
      </PersonMenu>
      {isOpen && (
        <Dialog title={`Invite ${user.name} again`} onClose={() => setOpen(false)}>
          <div role="status">
            {invitation ? (
              <InvitationResult {...invitation} />
            ) : (
              problem === null && <Text size="sm">Creating the invitation…</Text>
            )}
          </div>
          <ProblemText problem={problem} />
        </Dialog>
      )}
    </>
  )
}
