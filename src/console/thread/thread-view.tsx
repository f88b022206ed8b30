import { useCallback, useRef, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useLocation } from 'react-router'
import type { threadViewQuery } from '../../generated/console/threadViewQuery.graphql.ts'
import { EditComposer } from '../composer/edit-composer.tsx'
import { ThreadComposer } from '../composer/thread-composer.tsx'
import { GroupHeader } from '../groups/group-header.tsx'
import { NotFound } from '../page/problems/not-found.tsx'
import { useQuery } from '../relay/use-query.ts'
import { type EditableMessage, EditMessageContext } from './edit-message.ts'
import { FromMessage } from './from-message.tsx'
import { LiveThread } from './live-thread.tsx'
import { MessageList, type MessageListHandle } from './messages/message-list.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { usePlace } from './use-place.ts'

type Props = {
  threadID: string
  messageID: string | undefined
  firstUnreadID: string | null
}

export function ThreadView({ threadID, messageID, firstUnreadID }: Props) {
  const list = useRef<MessageListHandle>(null)
  const { key, state } = useLocation()
  const isWriting = state?.isWriting === true
  // Undefined until a message has been edited.
  const [editing, setEditing] = useState<EditableMessage | null>()
  const [firstUnread] = useState(firstUnreadID)
  const { place, goToEnd, reload } = usePlace(messageID, firstUnreadID)
  const { latestEventCursor, thread } = useQuery<threadViewQuery>(
    graphql`
      query threadViewQuery($threadID: ID!, $around: ID) {
        latestEventCursor
        thread(id: $threadID) {
          id
          isPeristentChat
          recipients(first: 5) { nodes { ...groupHeader_group @alias(as: "group") } }
          ...threadHeader_thread
          ...fromMessage_thread
          ...messageList_thread
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
  const chatGroup = thread.isPeristentChat ? thread.recipients?.nodes[0]?.group : null
  return (
    <EditMessageContext value={setEditing}>
      <LiveThread key={`live-${place.key}`} threadID={threadID} after={latestEventCursor} reload={reload} />
      {chatGroup ? <GroupHeader group={chatGroup} /> : <ThreadHeader thread={thread} />}
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
        <ThreadComposer
          // When the person chooses the DM that is already open, its composer also gets the focus.
          key={isWriting ? key : undefined}
          thread={thread}
          onSent={() => list.current?.showEnd()}
          onEditLast={editLast}
          // After an edit, the next letters that the person types would otherwise be keyboard shortcuts.
          autoFocus={editing === null || isWriting}
        />
      )}
    </EditMessageContext>
  )
}
