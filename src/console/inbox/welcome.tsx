import { Box, Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { Empty } from '../page/empty.tsx'
import { readStored, writeStored } from '../session/browser-storage.ts'
import { useViewer } from '../session/viewer.ts'

const storedAs = 'skein-welcome-shown'

/**
 * The welcome is shown in the first week, until the person dismisses it, or opens a thread from the inbox. A link to a
 * thread does not end it.
 */
export function useWelcome(): { isShown: boolean; dismiss: () => void } {
  const { threadID } = useParams()
  const { isNew } = useViewer()
  const [isShown, setShown] = useState(() => isNew && readStored(storedAs) === null)
  const dismiss = () => {
    writeStored(storedAs, 'true')
    setShown(false)
  }
  const shownID = useRef(threadID)
  const endAtThread = useEffectEvent(() => {
    if (shownID.current === undefined && threadID !== undefined && isShown) dismiss()
    shownID.current = threadID
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: The welcome ends when a thread opens.
  useEffect(() => endAtThread(), [threadID])
  return { isShown, dismiss }
}

/** Explains the product. After the person has dismissed that or opened a thread, says what to do when no thread is open. */
export function Welcome({ isShown, dismiss }: ReturnType<typeof useWelcome>) {
  const { workspaceID } = useParams()
  const { permissions } = useViewer()
  if (!isShown) return <NothingOpen />
  const createsPrograms = ['createWebhooks', 'createApps'].some((name) => permissions.includes(name))
  return (
    <Empty
      label="Welcome"
      title="Welcome to Skein"
      text={`Here, people and programs talk to each other in threads. A thread can go to any mix of people and groups. ${
        createsPrograms
          ? 'Programs send messages through a webhook, or use the API as an app.'
          : 'Your inbox shows what concerns you: your direct messages, the threads of your groups, and threads in which somebody mentions you.'
      }`}
      actions={
        <>
          <Button component={Link} to={`/${workspaceID}/new`}>
            Send a message
          </Button>
          <Button component={Link} to={`/${workspaceID}/groups`} variant="default">
            Find groups
          </Button>
          {permissions.includes('createWebhooks') && (
            <Button component={Link} to={`/${workspaceID}/settings/webhooks/new`} variant="default">
              Add a webhook
            </Button>
          )}
          <Button variant="subtle" color="gray" onClick={dismiss}>
            Dismiss
          </Button>
        </>
      }
    />
  )
}

/** Fills the place of the open thread. A narrow window shows the list instead. */
function NothingOpen() {
  const { unreadCount } = useViewer()
  return (
    <Box m="auto" visibleFrom="md">
      <Empty
        title={unreadCount === 0 ? 'All caught up' : 'No thread is open'}
        text={`${unreadCount === 0 ? 'No direct message and no mention waits for you. ' : ''}Select a thread to read it.`}
      />
    </Box>
  )
}
