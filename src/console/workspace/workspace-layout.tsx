import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useLocation } from 'react-router'
import type { workspaceLayoutQuery } from '../../generated/console/workspaceLayoutQuery.graphql.ts'
import { Shortcuts } from '../keyboard/shortcuts.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { useQuery } from '../relay/use-query.ts'
import { ViewerContext } from '../session/viewer.ts'
import { MissingWorkspace } from './missing-workspace.tsx'
import { Navigation } from './navigation/navigation.tsx'
import { OfflineNotice, PasswordNotice } from './notices.tsx'
import { useLiveWorkspace } from './use-live-workspace.ts'
import styles from './workspace-layout.module.css'
import { WorkspaceRoutes } from './workspace-routes.tsx'

const icon = (dot: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1864ab"/><path d="M22 9c-9-4-15 4-6 7s3 11-6 7" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>${dot}</svg>`
const dot = '<circle cx="25" cy="7" r="7" fill="#e03131" stroke="#fff" stroke-width="2"/>'

/** Sets the icon of the browser's tab. A dot means that a thread is unread. */
function usePageIcon(hasUnread: boolean): void {
  useEffect(() => {
    const url = `data:image/svg+xml,${encodeURIComponent(icon(hasUnread ? dot : ''))}`
    document.querySelector('link[rel=icon]')?.setAttribute('href', url)
  }, [hasUnread])
}

export function WorkspaceLayout({ workspaceID }: { workspaceID: string }) {
  const { pathname } = useLocation()
  const menu = usePhoneMenu()
  const [listVersion, setListVersion] = useState(0)
  const main = useRef<HTMLElement>(null)
  const { viewer, workspace, latestEventCursor } = useQuery<workspaceLayoutQuery>(
    graphql`
      query workspaceLayoutQuery($workspaceID: ID!) {
        latestEventCursor
        viewer { unreadThreadCount permissions user { id } ...navigation_viewer }
        workspace(id: $workspaceID) { name ...navigation_workspace }
      }
    `,
    { workspaceID },
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const viewerID = viewer?.user.id ?? ''
  const unreadThreadCount = viewer?.unreadThreadCount ?? 0
  const permissions = viewer?.permissions
  const reload = useCallback(() => setListVersion((version) => version + 1), [])
  useLiveWorkspace({ viewerID, after: useFirst(latestEventCursor, listVersion), reload })
  usePageIcon(unreadThreadCount > 0)
  useFocusOnNavigation(main)
  const state = useMemo(
    () => ({ id: viewerID, unreadThreadCount, permissions: permissions ?? [], listVersion }),
    [viewerID, unreadThreadCount, permissions, listVersion],
  )
  if (!viewer || !workspace) return <MissingWorkspace workspaceID={workspaceID} />
  return (
    <ViewerContext value={state}>
      <AppShell
        header={{ height: { base: 48, sm: 0 } }}
        navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !menu.isOpened } }}
      >
        <AppShell.Header hiddenFrom="sm">
          <Group h="100%" px="md">
            <Burger
              ref={menu.button}
              opened={menu.isOpened}
              onClick={menu.toggle}
              size="sm"
              className={styles.menu ?? ''}
              data-unread={unreadThreadCount > 0 || undefined}
              aria-label={unreadThreadCount > 0 ? 'Menu, you have unread messages' : 'Menu'}
            />
            <Text fw={600}>{workspace.name}</Text>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar>
          <Navigation viewer={viewer} workspace={workspace} />
        </AppShell.Navbar>
        <AppShell.Main ref={main} tabIndex={-1} className={styles.main}>
          <OfflineNotice />
          <PasswordNotice />
          <ProblemBoundary key={pageOf(pathname)}>
            <LoadingBoundary>
              <WorkspaceRoutes />
            </LoadingBoundary>
          </ProblemBoundary>
        </AppShell.Main>
        <Shortcuts />
      </AppShell>
    </ViewerContext>
  )
}

/** Returns the page of a path. All threads are in the inbox, so that the list stays when another thread is opened. */
function pageOf(pathname: string): string | undefined {
  const page = pathname.split('/')[2]
  return page === 'threads' || page === 'dms' ? 'inbox' : page
}

/**
 * Returns the value that was current when `version` last changed. Other queries write a later cursor to the Relay
 * store. A subscription after that cursor would skip events.
 */
function useFirst<T>(value: T, version: number): T {
  const first = useRef({ value, version })
  if (first.current.version !== version) first.current = { value, version }
  return first.current.value
}

/** Moves the focus into the content after a navigation, unless the focus is already on something visible there. */
function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    const { activeElement } = document
    const isInContent = main.current?.contains(activeElement) && activeElement?.checkVisibility()
    if (!isInContent) main.current?.focus({ preventScroll: true })
  }, [main, pathname])
}

/** On a phone, the menu covers the page. It closes with Escape, and when another page opens. */
function usePhoneMenu() {
  const { pathname } = useLocation()
  const [isOpened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const [lastPath, setLastPath] = useState(pathname)
  if (pathname !== lastPath) {
    setLastPath(pathname)
    setOpened(false)
  }
  useWindowEvent('keydown', ({ key, defaultPrevented }) => {
    if (key !== 'Escape' || defaultPrevented || !isOpened) return
    setOpened(false)
    button.current?.focus()
  })
  return { isOpened, button, toggle: () => setOpened(!isOpened) }
}
