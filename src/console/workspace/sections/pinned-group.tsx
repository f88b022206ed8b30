import { graphql, useFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { pinnedGroup_group$key } from '../../../generated/console/pinnedGroup_group.graphql.ts'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { type Moves, onMoveKey } from './pin-moves.ts'
import { GroupMark } from './side-groups.tsx'
import { SideRow } from './side-row.tsx'
import { useCurrentPage } from './use-current-page.ts'

const PinMenu = lazyPart(() => import('./pin-menu.tsx'))

export function PinnedGroup({ moves, ...props }: { group: pinnedGroup_group$key; moves: Moves }) {
  const { workspaceID } = useParams()
  const { page, id: openID } = useCurrentPage()
  const { id, name, isPrivate, isMuted, hasUnread } = useFragment(
    graphql`fragment pinnedGroup_group on Group { id name isPrivate isMuted hasUnread }`,
    props.group,
  )
  return (
    <SideRow
      to={`/${workspaceID}/groups/${id}`}
      isCurrent={page === 'groups' && id === openID}
      icon={<Icon name={isPrivate ? 'lock' : 'groups'} size={16} />}
      label={name}
      isUnread={hasUnread === true && !isMuted}
      isMuted={isMuted}
      mark={<GroupMark hasUnread={hasUnread === true} isMuted={isMuted} />}
      menu={
        <SmallPart>
          <PinMenu id={id} label={name} moves={moves} />
        </SmallPart>
      }
      onKeyDown={onMoveKey(moves)}
    />
  )
}
