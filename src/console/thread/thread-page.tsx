import { useCallback, useState } from 'react'
import { NotFound } from '../page/problems/not-found.tsx'
import { LiveThread } from './live-thread.tsx'
import { ThreadView } from './thread-view.tsx'
import { usePlace } from './use-place.ts'
import { useThread } from './use-thread.ts'

type Props = { threadID: string; messageID: string | undefined }

/** A thread. It opens at the message of the URL, otherwise at the first unread message, otherwise at the end. */
export function ThreadPage({ threadID, messageID }: Props) {
  const { place, isMoving, goToEnd, reload: reloadFrom } = usePlace(messageID)
  const { latestEventCursor, thread } = useThread(threadID, place)
  // The first unread message changes later, but the thread stays where it was opened.
  const [firstUnreadID] = useState(thread?.firstUnread?.id ?? null)
  const reload = useCallback(() => reloadFrom(firstUnreadID), [reloadFrom, firstUnreadID])
  if (!thread) return <NotFound what="Thread" />
  return (
    <>
      <LiveThread key={`live-${place.key}`} threadID={threadID} after={latestEventCursor} reload={reload} />
      <ThreadView
        thread={thread.view}
        place={place}
        isMoving={isMoving}
        firstUnreadID={firstUnreadID}
        onGoToEnd={goToEnd}
      />
    </>
  )
}
