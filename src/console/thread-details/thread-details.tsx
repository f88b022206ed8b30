import { Group, Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { threadDetailsLeaveMutation } from '../../generated/console/threadDetailsLeaveMutation.graphql.ts'
import type {
  threadDetailsQuery,
  threadDetailsQuery$data,
} from '../../generated/console/threadDetailsQuery.graphql.ts'
import { CopyButton } from '../page/copying.tsx'
import { ActionButton } from '../page/forms/action-button.tsx'
import { useIsPhone } from '../page/widths.ts'
import { useReloadedQuery } from '../relay/use-query.ts'
import { useViewer } from '../session/viewer.ts'
import { ThreadTools } from '../thread/thread-tools.tsx'
import { leaveThreadText } from './leave-thread-text.ts'
import { ThreadRecipients } from './thread-recipients.tsx'
import { ThreadSettings } from './thread-settings.tsx'

export default function ThreadDetails({ id }: { id: string }) {
  const viewerID = useViewer().id
  const [{ thread, viewer }, reload] = useReloadedQuery<threadDetailsQuery>(
    graphql`
      query threadDetailsQuery($threadID: ID!) {
        viewer { workspaceRole }
        thread(id: $threadID) {
          id url isPeristentChat recipientsLocked
          startedBy { id }
          recipients(first: 100) { nodes { __typename id name ... on Group { viewerCanAdminister } } }
          ...threadRecipients_thread
          ...threadSettings_thread
          ...threadTools_thread
        }
      }
    `,
    { threadID: id },
  )
  if (!thread) return <Text c="dimmed">The thread does not exist, or you cannot see it.</Text>
  const recipients = thread.recipients?.nodes ?? []
  const canChange =
    !thread.isPeristentChat &&
    (thread.startedBy?.id === viewerID ||
      viewer?.workspaceRole === 'admin' ||
      recipients.some(({ viewerCanAdminister }) => viewerCanAdminister))
  const canAdd = !thread.isPeristentChat && (canChange || !thread.recipientsLocked)
  return (
    <>
      <ThreadLinks thread={thread} />
      <ThreadRecipients thread={thread} canAdd={canAdd} canRemove={canChange} onChanged={reload} />
      {!thread.isPeristentChat && <ThreadSettings thread={thread} canChange={canChange} />}
      {!thread.isPeristentChat && recipients.some(({ id }) => id === viewerID) && (
        <LeaveThread thread={thread} />
      )}
    </>
  )
}

type Thread = NonNullable<threadDetailsQuery$data['thread']>

function ThreadLinks({ thread }: { thread: Thread }) {
  const links = (
    <>
      <CopyButton size="xs" label="Copy link" text={thread.url} />
      <CopyButton size="xs" label="Copy ID for programs" text={thread.id} />
    </>
  )
  return (
    <Group gap="xs" pb="md">
      {useIsPhone() ? <ThreadTools thread={thread}>{links}</ThreadTools> : links}
    </Group>
  )
}

/** Removes the person from the recipients of a thread. */
function LeaveThread({ thread: { id, recipients } }: { thread: Thread }) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const viewer = useViewer()
  const groups = (recipients?.nodes ?? []).filter(({ __typename }) => __typename === 'Group')
  return (
    <ActionButton<threadDetailsLeaveMutation>
      label="Leave thread"
      isDestructive
      confirmation={{
        title: 'Leave this thread?',
        text: leaveThreadText(groups.map(({ name }) => name)),
      }}
      mutation={graphql`
        mutation threadDetailsLeaveMutation($input: RemoveRecipientsInput!) {
          removeRecipients(input: $input) { thread { id } }
        }
      `}
      variables={{ input: { threadID: id, recipientIDs: [viewer.id] } }}
      onDone={() => navigate(`/${workspaceID}/inbox`)}
    />
  )
}
