import { Text } from '@mantine/core'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { useMessages_thread$key } from '../../../generated/console/useMessages_thread.graphql.ts'
import { type Draft, useConversation } from '../conversation.ts'
import { MessageRow } from '../message/message-row.tsx'
import { GoToEnd } from './go-to-end.tsx'
import { isContinued } from './is-continued.ts'
import { edgeComponents } from './list-edges.tsx'
import styles from './message-list.module.css'
import { MissingMessage } from './missing-message.tsx'
import { Separators } from './separators.tsx'
import { useFollow } from './use-follow.ts'
import { useMarkRead } from './use-mark-read.ts'
import { useMessages } from './use-messages.ts'

export type MessageListHandle = { showEnd: () => void; lastOwn: () => Draft | null }

type Props = {
  ref: Ref<MessageListHandle>
  thread: useMessages_thread$key
  openAtID: string | null
  isLinked: boolean
  firstUnreadID: string | null
  onGoToEnd: () => void
}

/** The messages of a thread. Loads more in both directions. */
export function MessageList({ ref, thread, openAtID, isLinked, firstUnreadID, onGoToEnd }: Props) {
  const list = useRef<VirtuosoHandle>(null)
  const { viewerID } = useConversation()
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const { isFollowing, atBottomStateChange } = useFollow(scroller, openAtID === null)
  const { data, messages, hasNext, edges, loadPrevious, loadNext } = useMessages(thread, isFollowing)
  const checkRead = useMarkRead(data, scroller)
  const showEnd = () => {
    if (hasNext) onGoToEnd()
    else list.current?.scrollToIndex({ index: 'LAST', align: 'end' })
  }
  // A message at the end can grow, for example by a reaction.
  const keepEnd = () => isFollowing && !hasNext && showEnd()
  useImperativeHandle(ref, () => ({
    showEnd,
    lastOwn: () =>
      messages.findLast((message) => message.user.id === viewerID && isEditable(message)) ?? null,
  }))
  if (!data.messages) return <MissingMessage onGoToEnd={onGoToEnd} />
  const first = messages[0]?.position ?? 0
  const openAt = messages.findIndex(({ id }) => id === openAtID)
  return (
    <section className={styles.list} aria-label="Messages">
      {messages.length === 0 && (
        <Text c="dimmed" ta="center" p="md">
          There are no messages yet. Write the first one.
        </Text>
      )}
      <Virtuoso
        ref={list}
        className={styles.scroller}
        data={messages}
        context={edges}
        components={edgeComponents}
        // Positions have no gaps. Therefore a row keeps its index when earlier messages arrive.
        firstItemIndex={first}
        initialTopMostItemIndex={
          openAt < 0
            ? { index: 'LAST', align: 'end' }
            : { index: openAt, align: isLinked ? 'center' : 'start', offset: isLinked ? 0 : -40 }
        }
        alignToBottom
        atBottomThreshold={20}
        atBottomStateChange={atBottomStateChange}
        totalListHeightChanged={keepEnd}
        scrollerRef={(element) => setScroller(element instanceof HTMLElement ? element : null)}
        rangeChanged={checkRead}
        computeItemKey={(_index, { id }) => id}
        startReached={loadPrevious}
        endReached={loadNext}
        followOutput={() => !hasNext && (isFollowing || messages.at(-1)?.user.id === viewerID) && 'auto'}
        itemContent={(index, message) => {
          const previous = messages[index - first - 1]
          return (
            <>
              <Separators
                message={message}
                previous={previous}
                isFirstUnread={message.id === firstUnreadID}
              />
              <MessageRow
                message={message}
                isContinued={message.id !== firstUnreadID && isContinued(message, previous)}
                isHighlighted={isLinked && message.id === openAtID}
              />
            </>
          )
        }}
      />
      {(hasNext || !isFollowing) && <GoToEnd unreadCount={data.unreadCount ?? 0} onClick={showEnd} />}
    </section>
  )
}

function isEditable({ deletedAt, event }: { deletedAt?: string | null; event?: object | null }): boolean {
  return !deletedAt && !event
}
