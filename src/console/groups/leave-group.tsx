import { graphql, useFragment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { leaveGroup_group$key } from '../../generated/console/leaveGroup_group.graphql.ts'
import type { leaveGroupMutation } from '../../generated/console/leaveGroupMutation.graphql.ts'
import { Confirmation } from '../page/dialogs/confirmation.tsx'
import { useFocusReturn } from '../page/dialogs/use-focus-return.ts'
import { useAction } from '../relay/use-action.ts'
import { isolated } from '../text/isolated.ts'
import { leaveText } from './leave-text.ts'

type Props = { group: leaveGroup_group$key; onClose: () => void }

export default function LeaveGroup({ onClose, ...props }: Props) {
  useFocusReturn()
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const { id, name, ...group } = useFragment(
    graphql`fragment leaveGroup_group on Group { id name isPrivate viewerRole memberCount }`,
    props.group,
  )
  const { run, isRunning, problem } = useAction<leaveGroupMutation>(graphql`
    mutation leaveGroupMutation($input: LeaveGroupInput!) {
      leaveGroup(input: $input) { removedGroupID @deleteRecord group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  const leave = () =>
    run({ input: { groupID: id } }, ({ leaveGroup }) => {
      onClose()
      if (leaveGroup?.removedGroupID) navigate(`/${workspaceID}/groups`)
    })
  return (
    <Confirmation
      title={`Leave ${isolated(name)}?`}
      text={leaveText(group)}
      action="Leave group"
      isDestructive
      isOpen
      isRunning={isRunning}
      problem={problem}
      onConfirm={leave}
      onClose={onClose}
    />
  )
}
