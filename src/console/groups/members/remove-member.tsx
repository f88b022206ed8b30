import { graphql } from 'react-relay/hooks'
import type { removeMemberMutation } from '../../../generated/console/removeMemberMutation.graphql.ts'
import { Confirmation } from '../../page/dialogs/confirmation.tsx'
import { useFocusReturn } from '../../page/dialogs/use-focus-return.ts'
import { useAction } from '../../relay/use-action.ts'

type Props = {
  groupID: string
  user: { id: string; name: string }
  onRemoved: () => void
  onClose: () => void
}

export function RemoveMember({ groupID, user, onRemoved, onClose }: Props) {
  useFocusReturn()
  const { run, isRunning, problem } = useAction<removeMemberMutation>(graphql`
    mutation removeMemberMutation($input: RemoveMembersInput!) {
      removeMembers(input: $input) { group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  const remove = () =>
    run({ input: { groupID, userIDs: [user.id] } }, () => {
      onClose()
      onRemoved()
    })
  return (
    <Confirmation
      title={`Remove ${user.name} from the group?`}
      text={`${user.name} will no longer receive messages from the group. You can add ${user.name} again.`}
      action="Remove"
      isDestructive
      isOpen
      isRunning={isRunning}
      problem={problem}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
