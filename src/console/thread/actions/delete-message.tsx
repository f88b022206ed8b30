import { graphql } from 'react-relay/hooks'
import type { deleteMessageMutation } from '../../../generated/console/deleteMessageMutation.graphql.ts'
import { Confirmation } from '../../page/dialogs/confirmation.tsx'
import { useAction } from '../../relay/use-action.ts'

type Props = { messageID: string; onClose: () => void }

export default function DeleteMessage({ messageID, onClose }: Props) {
  const { run, isRunning, problem } = useAction<deleteMessageMutation>(graphql`
    mutation deleteMessageMutation($input: DeleteMessageInput!) {
      deleteMessage(input: $input) { message { id deletedAt text ...messageRow_message } }
    }
  `)
  return (
    <Confirmation
      title="Delete this message?"
      text="Its text, files and reactions are removed for everyone. This cannot be undone."
      action="Delete"
      isDestructive
      isOpen
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => run({ input: { messageID } }, onClose)}
      onClose={onClose}
    />
  )
}
