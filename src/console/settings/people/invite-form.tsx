import { Button, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import type { inviteFormMutation } from '../../../generated/console/inviteFormMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'
import { type Invitation, InvitationResult } from './invitation-result.tsx'
import { nameOfAddress } from './name-of-address.ts'

const longestName = 100

type Props = { workspaceID: string; onInvited: () => void }

/** Invites a person by email address. If the service cannot send email, the admin sends the link. */
export function InviteForm({ workspaceID, onInvited }: Props) {
  const environment = useRelayEnvironment()
  const [email, setEmail] = useState('')
  // Null until the admin changes the name that is derived from the email address.
  const [ownName, setOwnName] = useState<string | null>(null)
  const name = ownName ?? nameOfAddress(email).slice(0, longestName)
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const { run, isRunning, problem, reason, fieldProblems, clear } = useAction<inviteFormMutation>(
    graphql`
      mutation inviteFormMutation($input: InviteUserInput!) { inviteUser(input: $input) { invitationURL } }
    `,
    ['email'],
  )
  const invite = (asNewPerson = false) => {
    setInvitation(null)
    const onDone = ({ inviteUser }: inviteFormMutation['response']) => {
      setInvitation({ email, url: inviteUser?.invitationURL ?? null })
      setEmail('')
      setOwnName(null)
      forgetDirectory(environment)
      onInvited()
    }
    run({ input: { workspaceID, email, asNewPerson, ...(name.trim() !== '' && { name }) } }, onDone)
  }
  return (
    <Stack>
      <Form
        action="Invite"
        onSubmit={() => invite()}
        problem={problem}
        isRunning={isRunning}
        isDisabled={email.trim() === ''}
        alternative={
          reason === 'DEACTIVATED' && (
            <Button variant="default" disabled={isRunning} onClick={() => invite(true)}>
              Invite a new person
            </Button>
          )
        }
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Email address"
            type="email"
            autoComplete="off"
            value={email}
            error={fieldProblems.email}
            onChange={(event) => {
              setEmail(event.currentTarget.value)
              clear()
            }}
          />
          <TextInput
            label="Name (optional)"
            autoComplete="off"
            maxLength={longestName}
            value={name}
            onChange={(event) => setOwnName(event.currentTarget.value)}
          />
        </SimpleGrid>
      </Form>
      {invitation && (
        <div role="status">
          <InvitationResult {...invitation} />
        </div>
      )}
    </Stack>
  )
}
