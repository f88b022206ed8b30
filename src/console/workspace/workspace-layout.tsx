import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useLocation } from 'react-router'
import type { workspaceLayoutQuery } from '../../generated/console/workspaceLayoutQuery.graphql.ts'
import { sendWaiting } from '../composer/outbox/use-outbox.ts'
import { Shortcuts } from '../keyboard/shortcuts.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { markPaths } from '../page/mark.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { useIsPhone } from '../page/widths.ts'
import type { UnreadCounts } from '../relay/unread/unread-counts.ts'
import { useQuery } from '../relay/use-query.ts'
import { useReconnect } from '../session/connection.ts'
import { ViewerContext } from '../session/viewer.ts'
import { MissingWorkspace } from './missing-workspace.tsx'
import { Sidebar } from './navigation/sidebar.tsx'
import { TabBar } from './navigation/tab-bar.tsx'
import { AdditionNotices, OfflineNotice, PasswordNotice } from './notices.tsx'
import { useLiveWorkspace } from './use-live-workspace.ts'
import styles from './workspace-layout.module.css'
import { WorkspaceRoutes } from './workspace-routes.tsx'

const icon = (dot: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#4340a8" stroke-width="1.7" stroke-linecap="round"><style>@media (prefers-color-scheme:dark){svg{stroke:#b9b8ff}}</style><path d="${markPaths.join('')}"/>${dot}</svg>`
const dot = '<circle cx="19" cy="5" r="5" fill="#c03428" stroke="none"/>'

/** Sets the icon of the browser's tab. A dot means that a DM or a mention is unread. */
function usePageIcon(hasUnread: boolean): void {
  useEffect(() => {
    const url = `data:image/svg+xml,${encodeURIComponent(icon(hasUnread ? dot : ''))}`
    document.querySelector('link[rel=icon]')?.setAttribute('href', url)
  }, [hasUnread])
}

const newForMs = 7 * 24 * 60 * 60 * 1000

type Props = { workspaceID: string; unread: UnreadCounts }

export function WorkspaceLayout({ workspaceID, unread }: Props) {
  const { pathname } = useLocation()
  const isPhone = useIsPhone()
  const [listVersion, setListVersion] = useState(0)
  const main = useRef<HTMLElement>(null)
  const { viewer, workspace, latestEventCursor } = useQuery<workspaceLayoutQuery>(
    graphql`
      query workspaceLayoutQuery($workspaceID: ID!) {
        latestEventCursor
        viewer { unread { threads directMessages mentions } permissions user { id createdAt } ...sidebar_viewer ...tabBar_viewer }
        workspace(id: $workspaceID) { ...sidebar_workspace }
        latest: threads(first: 1, order: lastMessage, filter: { mine: true }) { nodes { id lastActivityAt } }
      }
    `,
    { workspaceID },
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const viewerID = viewer?.user.id ?? ''
  const counts = viewer?.unread
  const unreadCount = counts ? counts.directMessages + counts.mentions : 0
  const permissions = viewer?.permissions
  const [isNew] = useState(() => Date.now() - Date.parse(viewer?.user.createdAt ?? '') < newForMs)
  const reload = useCallback(() => setListVersion((version) => version + 1), [])
  useLiveWorkspace({ viewerID, after: latestEventCursor, unread, reload })
  usePageIcon(unreadCount > 0)
  useFocusOnNavigation(main)
  useReconnect(sendWaiting)
  const state = useMemo(
    () => ({ id: viewerID, unreadCount, permissions: permissions ?? [], isNew, listVersion }),
    [viewerID, unreadCount, permissions, isNew, listVersion],
  )
  if (!viewer || !workspace) return <MissingWorkspace workspaceID={workspaceID} />
  return (
    <ViewerContext value={state}>
      <div className={styles.app}>
        {!isPhone && <Sidebar viewer={viewer} workspace={workspace} />}
        <main ref={main} tabIndex={-1} className={styles.main}>
          <OfflineNotice />
          <PasswordNotice />
          <AdditionNotices />
          <ProblemBoundary key={pageOf(pathname)}>
            <LoadingBoundary>
              <WorkspaceRoutes isPhone={isPhone} />
            </LoadingBoundary>
          </ProblemBoundary>
        </main>
        {isPhone && <TabBar viewer={viewer} />}
        <Shortcuts />
      </div>
    </ViewerContext>
  )
}

/** Returns the page of a path. All threads are in the inbox, so that the list stays when another thread is opened. */
function pageOf(pathname: string): string | undefined {
  const page = pathname.split('/')[2]
  return page === 'threads' || page === 'dms' ? 'inbox' : page
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
