import { Button } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { leaveThread_thread$key } from '../../generated/console/leaveThread_thread.graphql.ts'
import type { leaveThreadMutation } from '../../generated/console/leaveThreadMutation.graphql.ts'
import { ProblemText } from '../page/problem-text.tsx'
import { useAction } from '../relay/use-action.ts'
import { useViewer } from '../workspace/viewer.ts'

/** Removes the person from the recipients of a thread. */
export function LeaveThread(props: { thread: leaveThread_thread$key }) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const viewer = useViewer()
  const { id } = useFragment(graphql`fragment leaveThread_thread on Thread { id }`, props.thread)
  const { run, isRunning, problem } = useAction<leaveThreadMutation>(graphql`
    mutation leaveThreadMutation($input: RemoveRecipientsInput!) {
      removeRecipients(input: $input) { thread { id } }
    }
  `)
  const leave = () =>
    run({ input: { threadID: id, recipientIDs: [viewer.id] } }, () => navigate(`/${workspaceID}/inbox`))
  return (
    <>
      <Button variant="outline" color="red" loading={isRunning} onClick={leave}>
        Leave thread
      </Button>
      <ProblemText problem={problem} />
    </>
  )
}
