import { Menu } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { groupMenu_group$key } from '../../generated/console/groupMenu_group.graphql.ts'
import type { groupMenuMutation } from '../../generated/console/groupMenuMutation.graphql.ts'
import { MoreButton } from '../page/more-button.tsx'
import { ProblemText } from '../page/problem-text.tsx'
import { useAction } from '../relay/use-action.ts'
import { CopyItem } from '../text/copy-item.tsx'

type Props = { group: groupMenu_group$key; onEdit: () => void }

/** The rarer actions for a group. */
export function GroupMenu({ onEdit, ...props }: Props) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const group = useFragment(
    graphql`
      fragment groupMenu_group on Group { id url name isGeneral viewerRole viewerCanAdminister }
    `,
    props.group,
  )
  const { run, problem } = useAction<groupMenuMutation>(graphql`
    mutation groupMenuMutation($input: LeaveGroupInput!) {
      leaveGroup(input: $input) { removedGroupID @deleteRecord group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  const leave = () =>
    run({ input: { groupID: group.id } }, ({ leaveGroup }) => {
      if (leaveGroup?.removedGroupID) navigate(`/${workspaceID}/groups`)
    })
  return (
    <>
      <ProblemText problem={problem} />
      <Menu position="bottom-end">
        <Menu.Target>
          <MoreButton aria-label={`Actions for ${group.name}`} />
        </Menu.Target>
        <Menu.Dropdown>
          {group.viewerCanAdminister && <Menu.Item onClick={onEdit}>Edit group</Menu.Item>}
          <CopyItem label="Copy link" text={group.url} />
          <CopyItem label="Copy ID" text={group.id} />
          {group.viewerRole && !group.isGeneral && (
            <Menu.Item color="red" onClick={leave}>
              Leave group
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
