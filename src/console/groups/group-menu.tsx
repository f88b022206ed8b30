import { Menu } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { groupMenu_group$key } from '../../generated/console/groupMenu_group.graphql.ts'
import { CopyItem } from '../page/copying.tsx'
import { MoreButton } from '../page/show-more.tsx'

type Props = { group: groupMenu_group$key; onEdit: () => void; onLeave: () => void }

/** The less common actions for a group. */
export default function GroupMenu({ onEdit, onLeave, ...props }: Props) {
  const group = useFragment(
    graphql`
      fragment groupMenu_group on Group { id url name isGeneral viewerRole viewerCanAdminister }
    `,
    props.group,
  )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <MoreButton aria-label={`Actions for ${group.name}`} />
      </Menu.Target>
      <Menu.Dropdown>
        {group.viewerCanAdminister && <Menu.Item onClick={onEdit}>Edit group</Menu.Item>}
        <CopyItem label="Copy link" text={group.url} />
        <CopyItem label="Copy ID" text={group.id} />
        {group.viewerRole && !group.isGeneral && (
          <Menu.Item c="var(--mantine-color-error)" onClick={onLeave}>
            Leave group
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
