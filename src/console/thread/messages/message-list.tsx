import { Button } from '@mantine/core'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { type FlatIndexLocationWithAlign, Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { messageList_thread$key } from '../../../generated/console/messageList_thread.graphql.ts'
import type { useMessages_thread$key } from '../../../generated/console/useMessages_thread.graphql.ts'
import type { EditableMessage } from '../../composer/edit-composer.tsx'
import type { Pictured } from '../../page/avatar.tsx'
import type { Unfold } from '../../page/reading/fold.tsx'
import { useViewer } from '../../session/viewer.ts'
import { MessageRow } from '../message/message-row.tsx'
import { usePlaces } from '../message/places/use-places.ts'
import { EmptyConversation } from './empty-conversation.tsx'
import { isContinued } from './is-continued.ts'
import { edgeComponents, MissingMessage, Separators } from './list-edges.tsx'
import styles from './message-list.module.css'
import { useFollow } from './reading/use-follow.ts'
import { useMarkRead } from './reading/use-mark-read.ts'
import { useMessages } from './use-messages.ts'
import { useOpening } from './use-opening.ts'
import { useWriters } from './use-writers.ts'

export type MessageListHandle = { showEnd: () => void; lastOwn: () => EditableMessage | null }

type Props = {
  ref: Ref<MessageListHandle>
  thread: useMessages_thread$key & messageList_thread$key
  openAtID: string | null
  isLinked: boolean
  /**
   * Whether a list at another place is loading. The new list replaces the messages in the Relay store while this list
   * is still shown.
   */
  isReplaced: boolean
  firstUnreadID: string | null
  onGoToEnd: () => void
  /** Called with the people and programs that wrote last. */
  onWriters: (writers: readonly Pictured[]) => void
}

/** The messages of a thread. Loads more in both directions. */
export function MessageList({ ref, thread, isReplaced, ...props }: Props) {
  const { openAtID, isLinked, firstUnreadID, onGoToEnd } = props
  const list = useRef<VirtuosoHandle>(null)
  const viewer = useViewer()
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const lastPosition = useRef(0)
  const { isFollowing, hasLeft, atBottomStateChange } = useFollow(scroller, openAtID === null, lastPosition)
  const counts = useFragment<messageList_thread$key>(
    graphql`
      fragment messageList_thread on Thread {
        kind closedAt messageCount unreadCount ...useMarkRead_thread ...emptyConversation_thread
      }
    `,
    thread,
  )
  const { data, messages, hasNext, edges, loadPrevious, loadNext } = useMessages(thread, {
    isFollowing,
    isReplaced,
    messageCount: counts.messageCount ?? 0,
  })
  usePlaces(messages)
  useWriters(messages, props.onWriters)
  const last = messages.at(-1)
  lastPosition.current = last?.position ?? 0
  const checkRead = useMarkRead(counts, scroller)
  const showEnd = () => {
    // While the list follows new messages, `useMessages` loads missing messages.
    if (hasNext && !isFollowing) onGoToEnd()
    else list.current?.scrollToIndex({ index: 'LAST', align: 'end' })
  }
  const reveal = useReveal(scroller)
  const onHeightChange = () => {
    reveal()
    // The last message can grow, for example when somebody reacts to it.
    if (isFollowing && !hasNext) showEnd()
  }
  const lastID = last?.id
  const showOwn = useEffectEvent(() => {
    if (last?.user.id === viewer.id && !hasNext) showEnd()
  })
  const lastSeen = useRef(lastID)
  useEffect(() => {
    if (lastID !== lastSeen.current) showOwn()
    lastSeen.current = lastID
  }, [lastID])
  useImperativeHandle(ref, () => ({
    showEnd,
    // A list that does not reach the end may lack the last message.
    lastOwn: () =>
      (!hasNext && messages.findLast((message) => message.user.id === viewer.id && isEditable(message))) ||
      null,
  }))
  const openAt = messages.findIndex(({ id }) => id === openAtID)
  // If the message is not found, the index is -1, and the list opens at the last message.
  const [openedAtID] = useState(messages.at(openAt)?.id)
  const [opening] = useState<FlatIndexLocationWithAlign>(() =>
    openAt < 0
      ? { index: 'LAST', align: 'end' }
      : { index: openAt, align: isLinked ? 'center' : 'start', offset: isLinked ? 0 : -40 },
  )
  useOpening(scroller, openedAtID, () => {
    // Earlier messages may have arrived.
    const index = messages.findIndex(({ id }) => id === openedAtID)
    if (index >= 0) list.current?.scrollToIndex({ ...opening, index })
  })
  // A list that opens at its last message is there before it follows.
  const isAway = !isFollowing && (hasLeft || openedAtID !== lastID)
  if (!data.messages) return <MissingMessage onGoToEnd={onGoToEnd} />
  const first = messages[0]?.position ?? 0
  const isStrand = counts.kind === 'thread'
  const end = counts.closedAt ? 'closed' : 'open'
  const firstUnread = messages.find(({ id }) => id === firstUnreadID)?.position ?? Number.POSITIVE_INFINITY
  return (
    <section className={styles.list} aria-label="Messages">
      {messages.length === 0 && <EmptyConversation thread={counts} />}
      <Virtuoso
        ref={list}
        className={styles.scroller}
        data={messages}
        context={edges}
        components={edgeComponents}
        // Positions have no gaps. Therefore, they serve as indexes, which do not change when earlier messages arrive.
        firstItemIndex={first}
        initialTopMostItemIndex={opening}
        alignToBottom
        atBottomThreshold={20}
        atBottomStateChange={atBottomStateChange}
        totalListHeightChanged={onHeightChange}
        scrollerRef={(element) => setScroller(element instanceof HTMLElement ? element : null)}
        rangeChanged={checkRead}
        computeItemKey={(_index, { id }) => id}
        startReached={loadPrevious}
        endReached={loadNext}
        // With any function, the list also moves to its end when a row grows.
        followOutput={isFollowing && !hasNext ? () => 'auto' : false}
        itemContent={(index, message) => {
          const previous = messages[index - first - 1]
          return (
            <>
              <Separators
                message={message}
                previous={previous}
                isFirstUnread={message.id === firstUnreadID}
                isStrand={isStrand}
              />
              <MessageRow
                message={message}
                isContinued={message.id !== firstUnreadID && isContinued(message, previous)}
                isHighlighted={isLinked && message.id === openAtID}
                isStrand={isStrand}
                isNew={message.position >= firstUnread}
                end={message === last && !hasNext ? end : undefined}
              />
            </>
          )
        }}
      />
      {(hasNext || isAway) && <GoToEnd unreadCount={counts.unreadCount ?? 0} onClick={showEnd} />}
    </section>
  )
}

/**
 * Shows the line of a folded text that the browser has scrolled to. Returns the function to call after the list has
 * measured its rows. Before that, the list would take the position for one below the row, and remove the row.
 */
function useReveal(scroller: HTMLElement | null): () => void {
  const offsetPx = useRef(0)
  useEffect(() => {
    const onUnfold = ({ detail }: CustomEvent<Unfold>) => {
      offsetPx.current = detail.offsetPx
    }
    scroller?.addEventListener('unfold', onUnfold)
    return () => scroller?.removeEventListener('unfold', onUnfold)
  }, [scroller])
  return () => {
    if (offsetPx.current > 0) scroller?.scrollBy(0, offsetPx.current)
    offsetPx.current = 0
  }
}

function isEditable({ deletedAt, event }: { deletedAt?: string | null; event?: object | null }): boolean {
  return !deletedAt && !event
}

function GoToEnd({ unreadCount, onClick }: { unreadCount: number; onClick: () => void }) {
  return (
    <Button className={styles.end ?? ''} size="compact-sm" radius="xl" onClick={onClick}>
      Jump to latest{unreadCount > 0 && ` (${unreadCount} new)`}
    </Button>
  )
}
