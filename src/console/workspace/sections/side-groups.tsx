import { graphql, usePaginationFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { sideGroups_user$key } from '../../../generated/console/sideGroups_user.graphql.ts'
import type { sideGroupsPageQuery } from '../../../generated/console/sideGroupsPageQuery.graphql.ts'
import type { sideGroupsQuery } from '../../../generated/console/sideGroupsQuery.graphql.ts'
import { Icon } from '../../page/icon.tsx'
import { Dot } from '../../page/unread-mark.tsx'
import { useAllPages } from '../../relay/use-pages.ts'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { SideRow, SideSection } from './side-row.tsx'
import styles from './sidebar.module.css'
import { useCurrentPage } from './use-current-page.ts'

/** The groups of the person, by name, after the General group, without those that are pinned. `useLiveGroups` keeps them current. */
export function SideGroups() {
  const { workspaceID } = useParams()
  const { listVersion } = useViewer()
  const { viewer } = useQuery<sideGroupsQuery>(
    graphql`query sideGroupsQuery { viewer { user { ...sideGroups_user } } }`,
    {},
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const path = `/${workspaceID}/groups`
  return (
    <SideSection name="groups" title="Groups" add={{ to: path, label: 'Browse and create groups' }}>
      {viewer && <Rows user={viewer.user} path={path} />}
    </SideSection>
  )
}

const { compare } = new Intl.Collator(undefined, { numeric: true })

function Rows({ user, path }: { user: sideGroups_user$key; path: string }) {
  const { page, id: openID } = useCurrentPage()
  const { data, ...pages } = usePaginationFragment<sideGroupsPageQuery, sideGroups_user$key>(
    graphql`
      fragment sideGroups_user on User
      @refetchable(queryName: "sideGroupsPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 100 }, after: { type: "String" }) {
        groups(first: $first, after: $after) @connection(key: "sideGroups_groups") {
          edges { node { id name isGeneral isPrivate viewerRole isMuted isPinned hasUnread } }
        }
      }
    `,
    user,
  )
  // The node is null after the person has left a private group.
  const all = data.groups?.edges.flatMap(({ node }) => node ?? []) ?? []
  useAllPages(pages, all.length)
  return all
    .filter(({ viewerRole, isPinned }) => viewerRole != null && !isPinned)
    .toSorted((a, b) => Number(b.isGeneral) - Number(a.isGeneral) || compare(a.name, b.name))
    .map(({ id, name, isPrivate, isMuted, hasUnread }) => (
      <SideRow
        key={id}
        to={`${path}/${id}`}
        isCurrent={page === 'groups' && id === openID}
        icon={<Icon name={isPrivate ? 'lock' : 'groups'} size={16} />}
        label={name}
        isUnread={hasUnread === true && !isMuted}
        isMuted={isMuted}
        mark={<GroupMark hasUnread={hasUnread === true} isMuted={isMuted} />}
      />
    ))
}

export function GroupMark({ hasUnread, isMuted }: { hasUnread: boolean; isMuted: boolean }) {
  if (isMuted)
    return (
      <span className={styles.muted} role="img" aria-label="muted">
        <Icon name="bellOff" size={16} />
      </span>
    )
  return <Dot label={hasUnread ? 'unread' : null} />
}
