import { useCallback, useEffect, useRef } from 'react'
import { graphql, useFragment, useMutation } from 'react-relay/hooks'
import type { useMarkRead_thread$key } from '../../../../generated/console/useMarkRead_thread.graphql.ts'
import type { useMarkReadMutation } from '../../../../generated/console/useMarkReadMutation.graphql.ts'

const pauseMs = 1000

/** Marks the messages on screen as read while the page has the focus. Sends at most one request per second. */
export function useMarkRead(props: useMarkRead_thread$key, scroller: HTMLElement | null): () => void {
  // The other fields let the page count what is unread without a request.
  const { id, unreadCount, unreadMentionCount } = useFragment(
    graphql`
      fragment useMarkRead_thread on Thread {
        id kind isMine isMuted unreadCount unreadMentionCount lastActivityAt readUpTo { position }
      }
    `,
    props,
  )
  const [commit] = useMutation<useMarkReadMutation>(graphql`
    mutation useMarkReadMutation($input: MarkReadInput!) {
      markRead(input: $input) { thread { id unreadCount unreadMentionCount readUpTo { id position } } }
    }
  `)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const markedUpTo = useRef(0)
  const unreadBefore = useRef(0)
  // A mention can be unread although the messages of its thread count as read.
  const unread = (unreadCount ?? 0) + (unreadMentionCount ?? 0)
  const hasUnread = unread > 0

  const mark = useCallback(() => {
    timer.current = undefined
    // In a narrow window, the third column covers the messages for a while.
    if (scroller && getComputedStyle(scroller).visibility === 'hidden') {
      timer.current = setTimeout(mark, pauseMs)
      return
    }
    const last = scroller && document.hasFocus() && lastShown(scroller)
    if (!last || last.position <= markedUpTo.current) return
    const before = markedUpTo.current
    markedUpTo.current = last.position
    commit({
      variables: { input: { threadID: id, upToMessageID: last.id } },
      onError: () => {
        markedUpTo.current = before
      },
    })
  }, [commit, id, scroller])
  const check = useCallback(() => {
    if (hasUnread && scroller) timer.current ??= setTimeout(mark, pauseMs)
  }, [hasUnread, mark, scroller])
  // The count changes when a message arrives, or when a message that was read calls again.
  useEffect(() => {
    if (unread > unreadBefore.current) markedUpTo.current = 0
    unreadBefore.current = unread
    if (unread > 0) check()
  }, [check, unread])
  useEffect(() => {
    addEventListener('focus', check)
    scroller?.addEventListener('scroll', check)
    return () => {
      removeEventListener('focus', check)
      scroller?.removeEventListener('scroll', check)
    }
  }, [check, scroller])
  useEffect(() => () => clearTimeout(timer.current), [])
  return check
}

/** Returns the last message whose end is on screen, or the message that fills the screen. */
function lastShown(scroller: HTMLElement): { id: string; position: number } | undefined {
  const { top, bottom } = scroller.getBoundingClientRect()
  const shown = [...scroller.querySelectorAll<HTMLElement>('[data-position]')].filter((row) => {
    const place = row.getBoundingClientRect()
    return place.bottom > top && (place.bottom <= bottom + 1 || place.top <= top)
  })
  const last = shown.at(-1)
  return last && { id: last.id, position: Number(last.dataset.position) }
}
