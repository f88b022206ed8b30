import { graphql, useFragment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { leaveThread_thread$key } from '../../generated/console/leaveThread_thread.graphql.ts'
import type { leaveThreadMutation } from '../../generated/console/leaveThreadMutation.graphql.ts'
import { ActionButton } from '../page/forms/action-button.tsx'
import { useViewer } from '../workspace/viewer.ts'

/** Removes the person from the recipients of a thread. */
export function LeaveThread(props: { thread: leaveThread_thread$key }) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const viewer = useViewer()
  const { id } = useFragment(graphql`fragment leaveThread_thread on Thread { id }`, props.thread)
  return (
    <ActionButton<leaveThreadMutation>
      label="Leave thread"
      isDestructive
      confirmation={{
        title: 'Leave this thread?',
        text: 'You will be removed from the recipients. Only other people can add you again.',
      }}
      mutation={graphql`
        mutation leaveThreadMutation($input: RemoveRecipientsInput!) {
          removeRecipients(input: $input) { thread { id } }
        }
      `}
      variables={{ input: { threadID: id, recipientIDs: [viewer.id] } }}
      onDone={() => navigate(`/${workspaceID}/inbox`)}
    />
  )
}
