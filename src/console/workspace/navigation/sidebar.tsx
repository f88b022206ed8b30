import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { sidebar_viewer$key } from '../../../generated/console/sidebar_viewer.graphql.ts'
import type { sidebar_workspace$key } from '../../../generated/console/sidebar_workspace.graphql.ts'
import { useUnsentKeys } from '../../composer/outbox/outbox.ts'
import { useHasOtherDrafts } from '../../composer/use-draft.ts'
import { SideBones } from '../../page/bones.tsx'
import { IconLink } from '../../page/header.tsx'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { Count } from '../../page/unread-mark.tsx'
import { SideDirectMessages } from '../sections/side-direct-messages.tsx'
import { SideGroups } from '../sections/side-groups.tsx'
import { SidePins } from '../sections/side-pins.tsx'
import { SideRow, SideSection } from '../sections/side-row.tsx'
import styles from '../sections/sidebar.module.css'
import { useCurrentPage } from '../sections/use-current-page.ts'
import { InboxMark } from './inbox-mark.tsx'

// The menus are loaded separately, so that the initial script stays small.
const ViewerMenu = lazyPart(() => import('./viewer-menu.tsx'))
const WorkspaceSwitcher = lazyPart(() => import('./workspace-switcher.tsx'))

type Props = { viewer: sidebar_viewer$key; workspace: sidebar_workspace$key }

/** The pages, pins, groups and DMs of the person. On a phone, `TabBar` replaces it. */
export function Sidebar(props: Props) {
  const { workspaceID = '' } = useParams()
  const viewer = useFragment(
    graphql`
      fragment sidebar_viewer on Viewer {
        unread { threads directMessages mentions } ...viewerMenu_viewer ...workspaceSwitcher_viewer
      }
    `,
    props.viewer,
  )
  const workspace = useFragment(
    graphql`fragment sidebar_workspace on Workspace { name ...workspaceSwitcher_workspace }`,
    props.workspace,
  )
  const { page } = useCurrentPage()
  const hasUnsent = useUnsentKeys(workspaceID).length > 0
  const hasDrafts = useHasOtherDrafts(workspaceID)
  const { threads = 0, directMessages = 0, mentions = 0 } = viewer.unread ?? {}
  const home = `/${workspaceID}`
  return (
    <nav className={styles.sidebar} aria-label="Workspace">
      <div className={styles.head}>
        <SmallPart placeholder={<span className={styles.name}>{workspace.name}</span>}>
          <WorkspaceSwitcher viewer={viewer} workspace={workspace} />
        </SmallPart>
        <IconLink to={`${home}/new`} icon="edit" label="New message" />
      </div>
      <Link
        className={styles.search ?? ''}
        to={`${home}/search`}
        aria-current={page === 'search' ? 'page' : undefined}
      >
        <Icon name="search" size={16} /> Search
      </Link>
      <div className={styles.pages}>
        <ul className={styles.rows}>
          {hasUnsent && (
            <SideRow
              to={`${home}/unsent`}
              isCurrent={page === 'unsent'}
              icon={<Icon name="edit" size={16} />}
              label="Your messages"
              mark={<span className={styles.unsent}>Not sent</span>}
            />
          )}
          <SideRow
            to={`${home}/inbox`}
            isCurrent={page === 'inbox'}
            icon={<Icon name="inbox" size={16} />}
            label="Inbox"
            isUnread={threads + directMessages > 0}
            mark={<InboxMark unread={viewer.unread} />}
          />
          <SideRow
            to={`${home}/mentions`}
            isCurrent={page === 'mentions'}
            icon={<Icon name="mentions" size={16} />}
            label="Mentions"
            isUnread={mentions > 0}
            mark={mentions > 0 && <Count value={mentions} label={`${mentions} unread`} />}
          />
          {hasDrafts && (
            <SideRow
              to={`${home}/drafts`}
              isCurrent={page === 'drafts'}
              icon={<Icon name="pencil" size={16} />}
              label="Drafts"
            />
          )}
        </ul>
      </div>
      <div className={styles.scroll}>
        <SmallPart>
          <SidePins />
        </SmallPart>
        <SmallPart placeholder={<LoadingSection name="groups" title="Groups" count={5} />}>
          <SideGroups />
        </SmallPart>
        <SmallPart placeholder={<LoadingSection name="dms" title="Direct messages" count={3} />}>
          <SideDirectMessages />
        </SmallPart>
      </div>
      <div className={styles.foot}>
        <SmallPart placeholder={<span className={styles.name} />}>
          <ViewerMenu viewer={viewer} />
        </SmallPart>
        <IconLink to={`${home}/settings`} icon="settings" label="Settings" isCurrent={page === 'settings'} />
      </div>
    </nav>
  )
}

function LoadingSection({ count, ...props }: { name: string; title: string; count: number }) {
  return (
    <SideSection {...props}>
      <SideBones count={count} />
    </SideSection>
  )
}
