import { Button, Group, Menu, Stack, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { viewerMenu_viewer$key } from '../../../generated/console/viewerMenu_viewer.graphql.ts'
import { cancelUploads } from '../../composer/uploads/kept-uploads.ts'
import { Avatar } from '../../page/avatar.tsx'
import { Dialog } from '../../page/dialogs/dialog.tsx'
import { signOut } from '../../relay/signed-out.ts'
import { forgetWriting } from '../../session/browser-storage.ts'
import { useNotificationSetting } from '../../session/use-notification-setting.ts'
import { usePasswordPath } from '../../settings/profile/use-password-path.ts'
import styles from './navigation.module.css'

/** The name of the person, with a menu for their profile, notifications and account. */
export default function ViewerMenu(props: { viewer: viewerMenu_viewer$key }) {
  const { workspaceID } = useParams()
  const { user, hasPassword } = useFragment(
    graphql`fragment viewerMenu_viewer on Viewer { hasPassword user { id name } }`,
    props.viewer,
  )
  const [isAsking, setAsking] = useState(false)
  const submit = () => {
    cancelUploads()
    forgetWriting()
    void signOut()
  }
  const notifications = useNotificationSetting()
  const isOn = notifications.state === 'on'
  return (
    <>
      <Menu width="target" position="top-start">
        <Menu.Target>
          <UnstyledButton className={styles.viewer} aria-label={`${user.name}, your menu`}>
            <Avatar user={user} />
            <span>{user.name}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={`/${workspaceID}/settings/profile`}>
            Profile
          </Menu.Item>
          <Menu.Item
            disabled={notifications.state === 'blocked'}
            onClick={isOn ? notifications.turnOff : notifications.turnOn}
          >
            {notifications.state === 'blocked'
              ? 'The browser blocks notifications'
              : `Turn ${isOn ? 'off' : 'on'} notifications`}
          </Menu.Item>
          <Menu.Item component="a" href="/account">
            Account and sessions
          </Menu.Item>
          <Menu.Item component="a" href="/docs">
            Documentation
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={hasPassword === false ? () => setAsking(true) : submit}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsking && <SignOutQuestion onSignOut={submit} onClose={() => setAsking(false)} />}
    </>
  )
}

type Props = { onSignOut: () => void; onClose: () => void }

/** Asks whether a person without a password really wants to sign out, because a sign-in link works only once. */
function SignOutQuestion({ onSignOut, onClose }: Props) {
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
