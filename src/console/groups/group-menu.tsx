import { Menu } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { groupMenu_group$key } from '../../generated/console/groupMenu_group.graphql.ts'
import { useMuteGroup } from '../group-details/use-mute-group.ts'
import { CopyItem } from '../page/copying.tsx'
import { ExplainedItem } from '../page/explained-item.tsx'
import { ProblemText } from '../page/problems/problem.tsx'
import { MoreButton } from '../page/show-more.tsx'
import { PinItem } from '../thread/pin-item.tsx'

type Props = {
  group: groupMenu_group$key
  onEdit: () => void
  onLeave: () => void
  onMarkAllRead: () => void
}

/** The less common actions for a group. */
export default function GroupMenu({ onEdit, onLeave, onMarkAllRead, ...props }: Props) {
  const group = useFragment(
    graphql`
      fragment groupMenu_group on Group { id url name isGeneral isMuted isPinned viewerRole viewerCanAdminister }
    `,
    props.group,
  )
  const [isOpen, setOpen] = useState(false)
  const { toggle, problem } = useMuteGroup()
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end">
      <Menu.Target>
        <MoreButton aria-label={`Actions for ${group.name}`} />
      </Menu.Target>
      <Menu.Dropdown>
        {group.viewerRole && (
          <>
            <Menu.Item onClick={onMarkAllRead}>Mark all as read</Menu.Item>
            <ExplainedItem
              label={group.isMuted ? 'Unmute group' : 'Mute group'}
              hint={
                group.isMuted
                  ? 'Its threads return to your inbox.'
                  : 'Its threads leave your inbox, unless they concern you for another reason.'
              }
              onClick={() => toggle(group)}
            />
          </>
        )}
        <PinItem id={group.id} isPinned={group.isPinned} onDone={() => setOpen(false)} />
        {group.viewerCanAdminister && <Menu.Item onClick={onEdit}>Edit group</Menu.Item>}
        <CopyItem label="Copy link" text={group.url} />
        <CopyItem label="Copy ID for programs" text={group.id} />
        {group.viewerRole && !group.isGeneral && (
          <Menu.Item c="var(--mantine-color-error)" onClick={onLeave}>
            Leave group
          </Menu.Item>
        )}
        <ProblemText problem={problem} />
      </Menu.Dropdown>
    </Menu>
  )
}
