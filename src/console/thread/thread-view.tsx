import { Text } from '@mantine/core'
import { memo, useCallback, useRef, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useLocation } from 'react-router'
import type {
  threadView_thread$data,
  threadView_thread$key,
} from '../../generated/console/threadView_thread.graphql.ts'
import { type EditableMessage, EditComposer, EditMessageContext } from '../composer/edit-composer.tsx'
import { ThreadComposer } from '../composer/thread-composer.tsx'
import type { Pictured } from '../page/avatar.tsx'
import { Icon } from '../page/icon.tsx'
import { useThreadPath } from '../page/use-thread-path.ts'
import { htmlPreview } from '../text/html-preview.ts'
import { isolated } from '../text/isolated.ts'
import { MessageList, type MessageListHandle } from './messages/message-list.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { useThreadTitle } from './thread-title.ts'
import styles from './thread-view.module.css'
import type { Place } from './use-place.ts'

type Props = {
  thread: threadView_thread$key
  place: Place
  isMoving: boolean
  firstUnreadID: string | null
  onGoToEnd: () => void
}

export const ThreadView = memo(function ThreadView({
  place,
  isMoving,
  firstUnreadID,
  onGoToEnd,
  ...props
}: Props) {
  const list = useRef<MessageListHandle>(null)
  const { key, state } = useLocation()
  const [writers, setWriters] = useState<readonly Pictured[]>([])
  const isWriting = state?.isWriting === true
  // Undefined until a message has been edited.
  const [editing, setEditing] = useState<EditableMessage | null>()
  const thread = useFragment(
    graphql`
      fragment threadView_thread on Thread
      @argumentDefinitions(around: { type: "ID" }, aroundFirstUnread: { type: "Boolean" }) {
        id
        fromMessage { id html deletedAt thread { id } user { name } }
        ...threadHeader_thread
        ...messageList_thread
        ...useMessages_thread @arguments(last: 50, around: $around, aroundFirstUnread: $aroundFirstUnread)
        ...threadComposer_thread
        ...threadTitle_thread
      }
    `,
    props.thread,
  )
  const title = useThreadTitle(thread)
  const editLast = useCallback(() => setEditing(list.current?.lastOwn() ?? null), [])
  return (
    <EditMessageContext value={setEditing}>
      <div className={styles.view} data-drop-pane>
        <ThreadHeader thread={thread} writers={writers} />
        <FromMessage thread={thread} />
        <MessageList
          key={place.key}
          ref={list}
          thread={thread}
          openAtID={place.aroundFirstUnread ? firstUnreadID : place.around}
          isLinked={place.isLinked}
          isReplaced={isMoving}
          firstUnreadID={firstUnreadID}
          onGoToEnd={onGoToEnd}
          onWriters={setWriters}
        />
        {editing ? (
          <EditComposer
            key={editing.id}
            message={editing}
            threadID={thread.id}
            onClose={() => setEditing(null)}
          />
        ) : (
          <ThreadComposer
            // When the person chooses the DM that is already open, its composer also gets the focus.
            key={isWriting ? key : undefined}
            thread={thread}
            title={title}
            onSent={() => list.current?.showEnd()}
            onEditLast={editLast}
            // After an edit, the next letters that the person types would otherwise be keyboard shortcuts.
            autoFocus={editing === null || isWriting}
          />
        )}
      </div>
    </EditMessageContext>
  )
})

function FromMessage({ thread: { fromMessage } }: { thread: threadView_thread$data }) {
  const threadPath = useThreadPath()
  if (!fromMessage?.thread) return null
  return (
    <Link className={styles.link} to={threadPath(fromMessage.thread.id, fromMessage.id)}>
      <Icon name="reply" size={16} />
      <Text size="sm" truncate>
        Started from a message by {isolated(fromMessage.user.name)}
        {fromMessage.deletedAt ? '' : `: ${isolated(htmlPreview(fromMessage.html))}`}
      </Text>
    </Link>
  )
}
