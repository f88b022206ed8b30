import { Badge, Button, NavLink, ScrollArea, Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, NavLink as RouterLink, useLocation, useParams } from 'react-router'
import type { navigation_viewer$key } from '../../generated/console/navigation_viewer.graphql.ts'
import type { navigation_workspace$key } from '../../generated/console/navigation_workspace.graphql.ts'
import styles from './workspace.module.css'

// The menus are not part of the first script.
const ViewerMenu = lazy(() => import('./viewer-menu.tsx'))
const WorkspaceSwitcher = lazy(() => import('./workspace-switcher.tsx'))

type Props = { viewer: navigation_viewer$key; workspace: navigation_workspace$key }

const pages = [
  { path: 'inbox', label: 'Inbox' },
  { path: 'groups', label: 'Groups' },
  { path: 'dms', label: 'Direct messages' },
  { path: 'search', label: 'Search' },
  { path: 'settings', label: 'Settings' },
]

/** The menu of a workspace. */
export function Navigation(props: Props) {
  const { workspaceID } = useParams()
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
  const current = useCurrentPage()
  const unread = viewer.unreadThreadCount ?? 0
  return (
    <nav className={styles.navigation} aria-label="Workspace">
      <Suspense fallback={<div className={styles.name}>{workspace.name}</div>}>
        <WorkspaceSwitcher viewer={viewer} workspace={workspace} />
      </Suspense>
      <Button component={Link} to={`/${workspaceID}/new`} mx="sm" my="xs">
        New message
      </Button>
      <ScrollArea flex={1} px="sm">
        <Stack gap={4}>
          {pages.map(({ path, label }) => (
            <NavLink
              key={path}
              component={RouterLink}
              to={`/${workspaceID}/${path}`}
              active={path === current}
              label={label}
              rightSection={
                path === 'inbox' &&
                unread > 0 && (
                  <Badge size="sm" aria-label={`${unread} unread`}>
                    {unread}
                  </Badge>
                )
              }
            />
          ))}
        </Stack>
      </ScrollArea>
      <Suspense>
        <ViewerMenu viewer={viewer} />
      </Suspense>
    </nav>
  )
}

/** Returns the page of the menu that is open. A thread belongs to the list from which it was opened. */
function useCurrentPage(): string | undefined {
  const { pathname, state } = useLocation()
  const page = pathname.split('/')[2]
  if (page !== 'threads') return page
  return state?.list === 'dms' ? 'dms' : 'inbox'
}
