import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { inviteFormMutation } from '../../../generated/console/inviteFormMutation.graphql.ts'
import { Form } from '../parts/form.tsx'
import { SecretOnce } from '../parts/secret-once.tsx'
import { useCommit } from '../parts/use-commit.ts'

type Props = { workspaceID: string; onInvited: () => void }

/** Invites a person by email address. Without a mail server, the admin passes the link on. */
export function InviteForm({ workspaceID, onInvited }: Props) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [invitation, setInvitation] = useState<{ email: string; url: string | null } | null>(null)
  const { run, isBusy, problem } = useCommit<inviteFormMutation>(graphql`
    mutation inviteFormMutation($input: InviteUserInput!) { inviteUser(input: $input) { invitationURL } }
  `)
  const invite = () => {
    setInvitation(null)
    const onDone = ({ inviteUser }: inviteFormMutation['response']) => {
      setInvitation({ email, url: inviteUser?.invitationURL ?? null })
      setEmail('')
      setName('')
      onInvited()
    }
    run({ input: { workspaceID, email, ...(name.trim() !== '' && { name }) } }, { onDone })
  }
  return (
    <Stack>
      <Form
        action="Invite"
        onSubmit={invite}
        problem={problem}
        isBusy={isBusy}
        isDisabled={email.trim() === ''}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Email address"
            type="email"
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <TextInput
            label="Name (optional)"
            autoComplete="off"
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </SimpleGrid>
      </Form>
      {invitation && (
        <div role="status">
          {invitation.url === null ? (
            <Text size="sm">The invitation was mailed to {invitation.email}.</Text>
          ) : (
            <>
              <SecretOnce label={`Invitation for ${invitation.email}`} value={invitation.url} />
              <Text size="sm" mt="xs">
                Send this link to the person. It works once, within seven days.
              </Text>
            </>
          )}
        </div>
      )}
    </Stack>
  )
}
