import { type ReactNode, useCallback, useRef, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import type { threadViewQuery } from '../../generated/console/threadViewQuery.graphql.ts'
import { EditComposer } from '../composer/edit-composer.tsx'
import { ThreadComposer } from '../composer/thread-composer.tsx'
import { NotFound } from '../page/not-found.tsx'
import { ConversationContext, type Draft } from './conversation.ts'
import { FromMessage } from './from-message.tsx'
import { LiveThread } from './live-thread.tsx'
import { MessageList, type MessageListHandle } from './messages/message-list.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { usePlace } from './use-place.ts'

type Props = {
  threadID: string
  messageID: string | undefined
  firstUnreadID: string | null
  /** Replaces the title of the thread. */
  header: ReactNode
}

export function ThreadView({ threadID, messageID, firstUnreadID, header }: Props) {
  const list = useRef<MessageListHandle>(null)
  const [editing, setEditing] = useState<Draft | null>(null)
  const [firstUnread] = useState(firstUnreadID)
  const { place, goToEnd, reload } = usePlace(messageID, firstUnreadID)
  const { latestEventCursor, viewer, thread } = useLazyLoadQuery<threadViewQuery>(
    graphql`
      query threadViewQuery($threadID: ID!, $around: ID) {
        latestEventCursor
        viewer { user { id } }
        thread(id: $threadID) {
          id
          ...threadHeader_thread
          ...fromMessage_thread
          ...useMessages_thread @arguments(last: 50, around: $around)
          ...threadComposer_thread
        }
      }
    `,
    { threadID, around: place.around },
    { fetchKey: place.key, fetchPolicy: 'network-only' },
  )
  const editLast = useCallback(() => setEditing(list.current?.lastOwn() ?? null), [])
  if (!thread) return <NotFound what="Thread" />
  const viewerID = viewer?.user.id ?? ''
  return (
    <ConversationContext value={{ viewerID, edit: setEditing }}>
      <LiveThread key={place.key} threadID={threadID} after={latestEventCursor} reload={reload} />
      {header ?? <ThreadHeader thread={thread} />}
      <FromMessage thread={thread} />
      <MessageList
        key={place.key}
        ref={list}
        thread={thread}
        openAtID={place.around}
        isLinked={place.isLinked}
        firstUnreadID={firstUnread}
        onGoToEnd={goToEnd}
      />
      {editing ? (
        <EditComposer key={editing.id} message={editing} onClose={() => setEditing(null)} />
      ) : (
        <ThreadComposer thread={thread} onSent={() => list.current?.showEnd()} onEditLast={editLast} />
      )}
    </ConversationContext>
  )
}
