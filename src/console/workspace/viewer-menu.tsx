import { Menu, UnstyledButton } from '@mantine/core'
import { useRef } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { viewerMenu_viewer$key } from '../../generated/console/viewerMenu_viewer.graphql.ts'
import { useNotificationSetting } from './notifications.ts'
import styles from './workspace.module.css'

/** The name of the person, with a menu of what belongs to them. */
export default function ViewerMenu(props: { viewer: viewerMenu_viewer$key }) {
  const { workspaceID } = useParams()
  const { user } = useFragment(graphql`fragment viewerMenu_viewer on Viewer { user { name } }`, props.viewer)
  const signOut = useRef<HTMLFormElement>(null)
  const notifications = useNotificationSetting()
  return (
    <>
      <Menu width="target" position="top-start">
        <Menu.Target>
          <UnstyledButton className={styles.viewer} aria-label={`${user.name}, your menu`}>
            {user.name} <span aria-hidden>▴</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={`/${workspaceID}/settings/profile`}>
            Profile
          </Menu.Item>
          <Menu.Item
            disabled={notifications.isBlocked}
            onClick={notifications.isOn ? notifications.turnOff : notifications.turnOn}
          >
            {notifications.isBlocked
              ? 'The browser blocks notifications'
              : `Turn ${notifications.isOn ? 'off' : 'on'} notifications`}
          </Menu.Item>
          <Menu.Item component="a" href="/account">
            Account and sessions
          </Menu.Item>
          <Menu.Item component="a" href="/docs">
            Documentation
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => signOut.current?.submit()}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <form ref={signOut} method="post" action="/account/sessions/end">
        <input type="hidden" name="session" value="current" />
      </form>
    </>
  )
}
