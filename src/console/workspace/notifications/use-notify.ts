import { useCallback, useEffect, useRef } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { useLocation, useNavigate, useParams } from 'react-router'
import { htmlPreview } from '../../text/html-preview.ts'
import type { InboxThread } from '../live/use-live-inbox.ts'
import { earlierMessages } from './earlier-messages.ts'
import { isPersonal } from './personal-message.ts'
import { useNotificationSetting } from './use-notification-setting.ts'
import { useOtherTabs } from './use-other-tabs.ts'

/** A tab waits this long, because another tab may show the message in its thread, and then tells this one. */
const pauseMs = 300

type Announced = { id: string; html: string; user: { name: string } }

/** Returns a function that notifies the person of the new messages of a changed thread that are meant for them. */
export function useNotify(viewerID: string): (thread: InboxThread) => void {
  const { workspaceID } = useParams()
  const { pathname } = useLocation()
  const { state } = useNotificationSetting()
  const navigate = useNavigate()
  const environment = useRelayEnvironment()
  const open = useRef(new Set<Notification>())
  /** The position of the last message of each thread that has changed. */
  const positions = useRef(new Map<string, number>())
  const closeWhere = useCallback((isRead: (notification: Notification) => boolean) => {
    for (const notification of open.current) if (isRead(notification)) notification.close()
  }, [])
  const closeShown = useCallback(
    (messageID: string) => closeWhere(({ tag }) => tag === messageID),
    [closeWhere],
  )
  const tabs = useOtherTabs(closeShown)
  const latest = useRef({ state, pathname, navigate })
  useEffect(() => {
    latest.current = { state, pathname, navigate }
  })
  return useCallback(
    (thread) => {
      const { id, lastMessage } = thread
      const unreadCount = thread.unreadCount ?? 0
      const announce = (message: Announced) => {
        if (tabs.isShown(message.id)) return
        if (isVisible(thread, latest.current.pathname)) return tabs.show(message.id)
        if (latest.current.state !== 'on') return
        setTimeout(() => {
          if (tabs.isShown(message.id)) return
          tabs.show(message.id)
          const title = titleOf(thread, message.user.name)
          const notification = create(title, { body: htmlPreview(message.html), tag: message.id, data: id })
          if (!notification) return
          open.current.add(notification)
          notification.onclose = () => open.current.delete(notification)
          notification.onclick = () => {
            window.focus()
            latest.current.navigate(`/${workspaceID}/threads/${id}/${message.id}`)
            notification.close()
          }
        }, pauseMs)
      }
      if (unreadCount === 0) closeWhere(({ data }) => data === id)
      if (!lastMessage) return
      const before = positions.current.get(id)
      positions.current.set(id, lastMessage.position)
      if (unreadCount === 0) return
      if (isPersonal(thread, lastMessage, viewerID)) announce(lastMessage)
      // If several messages arrive together, `thread` has only the last one.
      const isGapless = before === undefined ? unreadCount === 1 : lastMessage.position <= before + 1
      if (isGapless || latest.current.state !== 'on') return
      earlierMessages(environment, thread, before).then((messages) => {
        for (const message of messages) if (isPersonal(thread, message, viewerID)) announce(message)
      })
    },
    [environment, viewerID, workspaceID, tabs, closeWhere],
  )
}

/** If two tabs create a notification at the same time, the browser shows only one, because of the tag. */
function create(title: string, options: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options)
  } catch {
    // Browsers on phones allow notifications only in a service worker.
    return null
  }
}

/** Names the author and the thread. A DM has only the author. */
function titleOf({ subject, isPeristentChat, recipients }: InboxThread, author: string): string {
  const [recipient] = recipients?.nodes ?? []
  const place = subject ?? (isPeristentChat && recipient?.__typename === 'Group' ? recipient.name : null)
  return place === null ? author : `${author} · ${place}`
}

/** Returns whether the thread is open in this tab, and the tab is on screen. A page of a group shows its group chat. */
function isVisible({ id, isPeristentChat, recipients }: InboxThread, pathname: string): boolean {
  if (document.visibilityState !== 'visible') return false
  const [, , page, openID] = pathname.split('/')
  if (page === 'threads') return openID === id
  return page === 'groups' && isPeristentChat && recipients?.nodes[0]?.id === openID
}
