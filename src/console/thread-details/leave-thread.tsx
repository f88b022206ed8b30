import { graphql, useFragment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { leaveThread_thread$key } from '../../generated/console/leaveThread_thread.graphql.ts'
import type { leaveThreadMutation } from '../../generated/console/leaveThreadMutation.graphql.ts'
import { ActionButton } from '../page/forms/action-button.tsx'
import { useViewer } from '../session/viewer.ts'
import { leaveThreadText } from './leave-thread-text.ts'

/** Removes the person from the recipients of a thread. */
export function LeaveThread(props: { thread: leaveThread_thread$key }) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const viewer = useViewer()
  const { id, recipients } = useFragment(
    graphql`
      fragment leaveThread_thread on Thread {
        id
        recipients(first: 100) { nodes { __typename name } }
      }
    `,
    props.thread,
  )
  const groups = (recipients?.nodes ?? []).filter(({ __typename }) => __typename === 'Group')
  return (
    <ActionButton<leaveThreadMutation>
      label="Leave thread"
      isDestructive
      confirmation={{
        title: 'Leave this thread?',
        text: leaveThreadText(groups.map(({ name }) => name)),
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
