import { Button, Group, Menu, Stack, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { viewerMenu_viewer$key } from '../../../generated/console/viewerMenu_viewer.graphql.ts'
import { useUnsentKeys } from '../../composer/outbox/outbox.ts'
import { cancelUploads } from '../../composer/uploads/kept-uploads.ts'
import { useDraftKeys } from '../../composer/use-draft.ts'
import { Avatar } from '../../page/avatar.tsx'
import { Dialog } from '../../page/dialogs/dialog.tsx'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { signOut } from '../../relay/signed-out.ts'
import { forgetWriting } from '../../session/browser-storage.ts'
import { useNotificationSetting } from '../../session/use-notification-setting.ts'
import { usePasswordPath } from '../../settings/profile/use-password-path.ts'
import styles from '../sections/sidebar.module.css'
import { useCurrentPage } from '../sections/use-current-page.ts'
import tabStyles from './tab-bar.module.css'

const ShortcutSheet = lazyPart(() => import('../../keyboard/shortcut-sheet.tsx'))

type Props = {
  viewer: viewerMenu_viewer$key
  /** Whether the menu opens from the tab bar. It then also has what the sidebar shows beside the menu. */
  isTab?: boolean
}

/** The name of the person, with a menu for their profile, notifications and account. */
export default function ViewerMenu({ isTab = false, ...props }: Props) {
  const { workspaceID } = useParams()
  const { user, hasPassword, workspaces } = useFragment(
    graphql`
      fragment viewerMenu_viewer on Viewer {
        hasPassword user { id name kind avatarURL } workspaces { workspaceID name }
      }
    `,
    props.viewer,
  )
  const { page } = useCurrentPage()
  const [isAsking, setAsking] = useState(false)
  const [showsKeys, setShowsKeys] = useState(false)
  const submit = () => {
    cancelUploads()
    forgetWriting()
    void signOut()
  }
  const notifications = useNotificationSetting()
  const isOn = notifications.state === 'on'
  return (
    <>
      <Menu position={isTab ? 'top-end' : 'top-start'}>
        <Menu.Target>
          <UnstyledButton
            className={(isTab ? tabStyles.tab : styles.name) ?? ''}
            aria-current={isTab && page === 'settings' ? 'page' : undefined}
            // The name of a tab begins with what the tab shows.
            aria-label={`${isTab ? 'You: ' : ''}${user.name}, your menu`}
          >
            {isTab ? <Icon name="user" size={22} /> : <Avatar user={user} size="md" />}
            <span className={styles.cut}>{isTab ? 'You' : user.name}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {isTab && <TabItems workspaces={workspaces ?? []} />}
          <Menu.Item component={Link} to={`/${workspaceID}/settings/profile`}>
            Profile
          </Menu.Item>
          {notifications.state === 'blocked' || notifications.state === 'unsupported' ? (
            <Menu.Item component={Link} to={`/${workspaceID}/settings/profile`}>
              Notifications are {notifications.state === 'blocked' ? 'blocked' : 'not supported'}
            </Menu.Item>
          ) : (
            <Menu.Item onClick={isOn ? notifications.turnOff : notifications.turnOn}>
              Turn {isOn ? 'off' : 'on'} notifications
            </Menu.Item>
          )}
          <Menu.Item component="a" href="/account">
            Account and sessions
          </Menu.Item>
          <Menu.Item component="a" href="/docs/web-app">
            Documentation
          </Menu.Item>
          {!isTab && <Menu.Item onClick={() => setShowsKeys(true)}>Keyboard shortcuts</Menu.Item>}
          <Menu.Divider />
          <Menu.Item onClick={hasPassword === false ? () => setAsking(true) : submit}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SmallPart>{showsKeys && <ShortcutSheet onClose={() => setShowsKeys(false)} />}</SmallPart>
      {isAsking && <SignOutQuestion onSignOut={submit} onClose={() => setAsking(false)} />}
    </>
  )
}

type Workspace = { readonly workspaceID: string; readonly name: string }

function TabItems({ workspaces }: { workspaces: readonly Workspace[] }) {
  const { workspaceID = '' } = useParams()
  const hasUnsent = useUnsentKeys(workspaceID).length > 0
  const hasDrafts = useDraftKeys(workspaceID).length > 0
  return (
    <>
      {hasUnsent && (
        <Menu.Item component={Link} to={`/${workspaceID}/unsent`}>
          Messages that are not sent
        </Menu.Item>
      )}
      {workspaces
        .filter((workspace) => workspace.workspaceID !== workspaceID)
        .map((workspace) => (
          <Menu.Item key={workspace.workspaceID} component={Link} to={`/${workspace.workspaceID}`}>
            Switch to {workspace.name}
          </Menu.Item>
        ))}
      <Menu.Item component={Link} to={`/${workspaceID}/mentions`}>
        Mentions
      </Menu.Item>
      {hasDrafts && (
        <Menu.Item component={Link} to={`/${workspaceID}/drafts`}>
          Drafts
        </Menu.Item>
      )}
      <Menu.Item component={Link} to={`/${workspaceID}/settings`}>
        Settings
      </Menu.Item>
    </>
  )
}

type QuestionProps = { onSignOut: () => void; onClose: () => void }

/** Asks whether a person without a password really wants to sign out, because a sign-in link works only once. */
function SignOutQuestion({ onSignOut, onClose }: QuestionProps) {
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
