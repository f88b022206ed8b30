import { Text } from '@mantine/core'
import { SecretOnce } from '../secrets/secret-once.tsx'

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
