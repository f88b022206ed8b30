import { AppShell, Burger, Group, Text } from '@mantine/core'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import { useLocation } from 'react-router'
import type { workspaceLayoutQuery } from '../../generated/console/workspaceLayoutQuery.graphql.ts'
import { Shortcuts } from '../keyboard/shortcuts.tsx'
import { Loading } from '../page/loading.tsx'
import { Problem } from '../page/problem.tsx'
import { ProblemBoundary } from '../page/problem-boundary.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { usePageIcon } from './page-icon.ts'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useLiveWorkspace } from './use-live-workspace.ts'
import { ViewerContext } from './viewer.ts'
import styles from './workspace.module.css'
import { WorkspaceRoutes } from './workspace-routes.tsx'

/** The frame around the pages of a workspace. */
export function WorkspaceLayout({ workspaceID }: { workspaceID: string }) {
  const { pathname } = useLocation()
  const [isOpened, setOpened] = useState(false)
  const [listVersion, setListVersion] = useState(0)
  const main = useRef<HTMLElement>(null)
  const { viewer, workspace, latestEventCursor } = useLazyLoadQuery<workspaceLayoutQuery>(
    graphql`
      query workspaceLayoutQuery($workspaceID: ID!) {
        latestEventCursor
        viewer { unreadThreadCount user { id } ...navigation_viewer }
        workspace(id: $workspaceID) { name ...navigation_workspace }
      }
    `,
    { workspaceID },
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const viewerID = viewer?.user.id ?? ''
  const unreadThreadCount = viewer?.unreadThreadCount ?? 0
  const reload = useCallback(() => setListVersion((version) => version + 1), [])
  useLiveWorkspace({ viewerID, after: useFirst(latestEventCursor, listVersion), reload })
  usePageIcon(unreadThreadCount > 0)
  useFocusOnNavigation(main)
  // On a phone, the menu closes when another page opens.
  useEffect(() => setOpened(false), [pathname])
  const state = useMemo(
    () => ({ id: viewerID, unreadThreadCount, listVersion }),
    [viewerID, unreadThreadCount, listVersion],
  )
  if (!viewer || !workspace)
    return <Problem title="Workspace not found" text="It does not exist, or you cannot see it." />
  return (
    <ViewerContext value={state}>
      <AppShell
        header={{ height: { base: 48, sm: 0 } }}
        navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpened } }}
      >
        <AppShell.Header hiddenFrom="sm">
          <Group h="100%" px="md">
            <Burger opened={isOpened} onClick={() => setOpened(!isOpened)} size="sm" aria-label="Menu" />
            <Text fw={600}>{workspace.name}</Text>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar>
          <Navigation viewer={viewer} workspace={workspace} />
        </AppShell.Navbar>
        <AppShell.Main ref={main} tabIndex={-1} className={styles.main}>
          <OfflineNotice />
          <ProblemBoundary key={pageOf(pathname)}>
            <Suspense fallback={<Loading />}>
              <WorkspaceRoutes />
            </Suspense>
          </ProblemBoundary>
        </AppShell.Main>
        <Shortcuts />
      </AppShell>
    </ViewerContext>
  )
}

/** Returns the page of a path. The list of threads stays when another thread opens. */
function pageOf(pathname: string): string | undefined {
  const page = pathname.split('/')[2]
  return page === 'threads' || page === 'dms' ? 'inbox' : page
}

/** Returns the cursor with which a version of the list began. Other pages store newer cursors. */
function useFirst<T>(value: T, version: number): T {
  const first = useRef({ value, version })
  if (first.current.version !== version) first.current = { value, version }
  return first.current.value
}
