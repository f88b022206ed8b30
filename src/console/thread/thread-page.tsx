import { useCallback, useMemo, useState } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import type { threadPageLiveSubscription } from '../../generated/console/threadPageLiveSubscription.graphql.ts'
import { NotFound } from '../page/problems/problem.tsx'
import { appendMessage } from '../relay/append-message.ts'
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

type LiveThreadProps = { threadID: string; after: string | null | undefined; reload: () => void }

/** Keeps an open thread current: its messages, reactions, recipients and settings. Shows nothing. */
function LiveThread({ threadID, after, reload }: LiveThreadProps) {
  // Other queries write a later cursor to the Relay store. A subscription after that cursor would skip events.
  const [firstCursor] = useState(after)
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription threadPageLiveSubscription($threadID: ID!, $after: String) {
          threadEvents(threadID: $threadID, after: $after) {
            cursor
            message {
              id cursor position createdAt deletedAt text senderName user { id } origin { kind via } event { type }
              ...messageRow_message
            }
            thread {
              id messageCount unreadCount unreadMentionCount firstUnread { id }
              ...threadHeader_thread
              ...threadComposer_thread
            }
          }
        }
      `,
      variables: { threadID, after: firstCursor },
      updater: (store: Parameters<typeof appendMessage>[0]) =>
        appendMessage(store, threadID, store.getRootField('threadEvents')?.getLinkedRecord('message')),
      onError: reload,
      onCompleted: reload,
    }),
    [threadID, firstCursor, reload],
  )
  useSubscription<threadPageLiveSubscription>(config)
  return null
}
