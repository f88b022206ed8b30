import { Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../page/dialogs/dialog.tsx'
import { usePasswordPath } from '../../settings/profile/use-password-path.ts'

type Props = { onSignOut: () => void; onClose: () => void }

/** Asks whether a person without a password really wants to sign out, because a sign-in link works only once. */
export function SignOutQuestion({ onSignOut, onClose }: Props) {
  const passwordPath = usePasswordPath()
  return (
    <Dialog title="Sign out without a password?" onClose={onClose}>
      <Stack>
        <Text>
          You have not set a password. The link that you signed in with works only once. To sign in without a
          password, you need a new link or an identity provider.
        </Text>
        <Group justify="end">
          <Button variant="default" onClick={onSignOut}>
            Sign out
          </Button>
          <Button component="a" href={passwordPath}>
            Set a password
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
