import { Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import type { inviteFormMutation } from '../../../generated/console/inviteFormMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'
import { SecretOnce } from '../secrets/secret-once.tsx'
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

/** An invitation that was just created. `url` is null if the service mailed it. */
export type Invitation = { email: string; url: string | null }

/** Says that an invitation was mailed, or shows its link. */
export function InvitationResult({ email, url }: Invitation) {
  if (url === null) return <Text size="sm">The invitation was sent to {email}.</Text>
  return (
    <>
      <SecretOnce label={`Invitation for ${email}`} value={url} />
      <Text size="sm" mt="xs">
        No email was sent. Send this link to the person yourself. It works once, and expires after seven days.
      </Text>
    </>
  )
}
