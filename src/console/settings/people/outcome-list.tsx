import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../page/copying.tsx'
import { SecretOnce } from '../secrets/secret-once.tsx'
import { linksText, type Outcome } from './use-invite.ts'

type Props = {
  outcomes: readonly Outcome[]
  /** Whether the links of the last call are in the clipboard. */
  isCopied: boolean
  isRunning?: boolean
  /** Invites a new person to the address of a deactivated person. */
  onInviteNew?: (email: string) => void
}

/** Says for each address whether its invitation was mailed, shows its link, or says why nobody was invited. */
export function OutcomeList({ outcomes, isCopied, isRunning, onInviteNew }: Props) {
  const links = outcomes.filter(({ invitationURL }) => invitationURL)
  return (
    <div role="status">
      {links.length > 0 && (
        <Text size="sm" mb="xs">
          No email was sent. Send {links.length === 1 ? 'this link to the person' : 'each link to its person'}{' '}
          yourself. It works once, and expires after seven days.{isCopied && ' Copied to the clipboard.'}
        </Text>
      )}
      <Stack gap="sm">
        {outcomes.map(({ email, invitationURL, problem }) => {
          if (invitationURL)
            return <SecretOnce key={email} label={`Invitation for ${email}`} value={invitationURL} />
          if (!problem)
            return (
              <Text key={email} size="sm">
                The invitation was sent to {email}.
              </Text>
            )
          return (
            <Group key={email} gap="sm">
              <Text size="sm" c="var(--mantine-color-error)">
                {email}: {problem.message}
              </Text>
              {problem.reason === 'DEACTIVATED' && onInviteNew && (
                <Button variant="default" size="xs" disabled={isRunning} onClick={() => onInviteNew(email)}>
                  Invite a new person
                </Button>
              )}
            </Group>
          )
        })}
        {links.length > 1 && (
          <CopyButton label="Copy all links" text={linksText(outcomes)} style={{ alignSelf: 'flex-start' }} />
        )}
      </Stack>
    </div>
  )
}
