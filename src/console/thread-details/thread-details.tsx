import { Group } from '@mantine/core'
import { useCallback, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadDetailsLinks_thread$key } from '../../generated/console/threadDetailsLinks_thread.graphql.ts'
import type { threadDetailsQuery } from '../../generated/console/threadDetailsQuery.graphql.ts'
import { CopyButton } from '../page/copying/copy-button.tsx'
import { SidePanel } from '../page/dialogs/side-panel.tsx'
import { useQuery } from '../relay/use-query.ts'
import { useViewer } from '../session/viewer.ts'
import { LeaveThread } from './leave-thread.tsx'
import { ThreadRecipients } from './thread-recipients.tsx'
import { ThreadSettings } from './thread-settings.tsx'

type Props = { threadID: string; onClose: () => void }

export default function ThreadDetails({ threadID, onClose }: Props) {
  return (
    <SidePanel title="Thread details" onClose={onClose}>
      <Details threadID={threadID} />
    </SidePanel>
  )
}

function Details({ threadID }: { threadID: string }) {
  const viewerID = useViewer().id
  const [fetchKey, setFetchKey] = useState(0)
  const { thread, viewer } = useQuery<threadDetailsQuery>(
    graphql`
      query threadDetailsQuery($threadID: ID!) {
        viewer { workspaceRole }
        thread(id: $threadID) {
          isPeristentChat
          recipientsLocked
          startedBy { id }
          recipients(first: 100) { nodes { id ... on Group { viewerCanAdminister } } }
          ...threadDetailsLinks_thread
          ...threadRecipients_thread
          ...threadSettings_thread
          ...leaveThread_thread
        }
      }
    `,
    { threadID },
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  const reload = useCallback(() => setFetchKey((key) => key + 1), [])
  if (!thread) return null
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

function ThreadLinks(props: { thread: threadDetailsLinks_thread$key }) {
  const { id, url } = useFragment(
    graphql`fragment threadDetailsLinks_thread on Thread { id url }`,
    props.thread,
  )
  return (
    <Group gap="xs" pb="md">
      <CopyButton size="xs" label="Copy link" text={url} />
      <CopyButton size="xs" label="Copy ID" text={id} />
    </Group>
  )
}
