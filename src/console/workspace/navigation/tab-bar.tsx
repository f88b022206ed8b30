import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useLocation, useParams } from 'react-router'
import type { tabBar_viewer$key } from '../../../generated/console/tabBar_viewer.graphql.ts'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { sideOf } from '../../page/side-column.ts'
import { Count } from '../../page/unread-mark.tsx'
import { useCurrentPage } from '../sections/use-current-page.ts'
import { InboxMark } from './inbox-mark.tsx'
import styles from './tab-bar.module.css'

const ViewerMenu = lazyPart(() => import('./viewer-menu.tsx'))

const pages = [
  { path: 'inbox', label: 'Inbox' },
  { path: 'groups', label: 'Groups' },
  { path: 'dms', label: 'Direct' },
  { path: 'search', label: 'Search' },
] as const

/** The pages, below the content. It replaces the sidebar on a phone. A conversation has the whole screen. */
export function TabBar(props: { viewer: tabBar_viewer$key }) {
  const { workspaceID } = useParams()
  const viewer = useFragment(
    graphql`
      fragment tabBar_viewer on Viewer { unread { threads directMessages mentions } ...viewerMenu_viewer }
    `,
    props.viewer,
  )
  const { page } = useCurrentPage()
  const { pathname, search } = useLocation()
  if (pathname.includes('/threads/') || sideOf(search)) return null
  const directMessages = viewer.unread?.directMessages ?? 0
  return (
    <nav className={styles.bar} aria-label="Workspace">
      {pages.map(({ path, label }) => (
        <Link
          key={path}
          className={styles.tab ?? ''}
          to={`/${workspaceID}/${path}`}
          aria-current={path === page ? 'page' : undefined}
        >
          <Icon name={path} size={22} />
          {label}
          <span className={styles.mark}>
            {path === 'inbox' && <InboxMark unread={viewer.unread} />}
            {path === 'dms' && directMessages > 0 && (
              <Count value={directMessages} label={`${directMessages} unread`} />
            )}
          </span>
        </Link>
      ))}
      <SmallPart placeholder={<span className={styles.tab} />}>
        <ViewerMenu viewer={viewer} isTab />
      </SmallPart>
    </nav>
  )
}
