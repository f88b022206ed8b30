import { Badge, Button, NavLink, ScrollArea, Stack } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, NavLink as RouterLink, useLocation, useParams } from 'react-router'
import type { navigation_viewer$key } from '../../../generated/console/navigation_viewer.graphql.ts'
import type { navigation_workspace$key } from '../../../generated/console/navigation_workspace.graphql.ts'
import { NotSent } from '../../composer/outbox/not-sent.tsx'
import { useUnsentKeys } from '../../composer/outbox/outbox.ts'
import { sendWaiting } from '../../composer/outbox/use-outbox.ts'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { useReconnect } from '../../session/connection.ts'
import styles from './navigation.module.css'

// The menus are loaded separately, so that the initial script stays small.
const ViewerMenu = lazyPart(() => import('./viewer-menu.tsx'))
const WorkspaceSwitcher = lazyPart(() => import('./workspace-switcher.tsx'))

type Props = { viewer: navigation_viewer$key; workspace: navigation_workspace$key }

const pages = [
  { path: 'inbox', label: 'Inbox' },
  { path: 'groups', label: 'Groups' },
  { path: 'dms', label: 'Direct messages' },
  { path: 'search', label: 'Search' },
  { path: 'settings', label: 'Settings' },
] as const

/** The service counts at most this many unread threads. */
const mostCounted = 1000

export function Navigation(props: Props) {
  const { workspaceID = '' } = useParams()
  const viewer = useFragment(
    graphql`
      fragment navigation_viewer on Viewer { unreadThreadCount ...viewerMenu_viewer ...workspaceSwitcher_viewer }
    `,
    props.viewer,
  )
  const workspace = useFragment(
    graphql`fragment navigation_workspace on Workspace { name ...workspaceSwitcher_workspace }`,
    props.workspace,
  )
  useReconnect(sendWaiting)
  const hasUnsent = useUnsentKeys(workspaceID).length > 0
  const current = useCurrentPage()
  const unread = viewer.unreadThreadCount ?? 0
  return (
    <nav className={styles.navigation} aria-label="Workspace">
      <SmallPart placeholder={<div className={styles.name}>{workspace.name}</div>}>
        <WorkspaceSwitcher viewer={viewer} workspace={workspace} />
      </SmallPart>
      <Button component={Link} to={`/${workspaceID}/new`} mx="sm" my="xs">
        New message
      </Button>
      <ScrollArea flex={1} px="sm">
        <Stack gap={4}>
          {hasUnsent && (
            <NavLink
              component={RouterLink}
              to={`/${workspaceID}/unsent`}
              active={current === 'unsent'}
              label="Your messages"
              className={styles.link ?? ''}
              rightSection={<NotSent />}
            />
          )}
          {pages.map(({ path, label }) => (
            <NavLink
              key={path}
              component={RouterLink}
              to={`/${workspaceID}/${path}`}
              active={path === current}
              label={label}
              leftSection={<Icon name={path} />}
              className={styles.link ?? ''}
              rightSection={
                path === 'inbox' &&
                unread > 0 && (
                  <Badge size="sm" aria-label={`${unread} unread`}>
                    {unread < mostCounted ? unread : `${mostCounted - 1}+`}
                  </Badge>
                )
              }
            />
          ))}
        </Stack>
      </ScrollArea>
      <SmallPart>
        <ViewerMenu viewer={viewer} />
      </SmallPart>
    </nav>
  )
}

/** Returns the menu item of the current page. A thread belongs to the list from which it was opened. */
function useCurrentPage(): string | undefined {
  const { pathname, state } = useLocation()
  const page = pathname.split('/')[2]
  if (page !== 'threads') return page
  return state?.list === 'dms' ? 'dms' : 'inbox'
}
