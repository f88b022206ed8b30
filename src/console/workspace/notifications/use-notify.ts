import { useDocumentVisibility } from '@mantine/hooks'
import { useCallback, useEffect, useRef } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { useLocation, useNavigate, useParams } from 'react-router'
import { sideOf } from '../../page/side-column.ts'
import { useIsNarrow, useIsWide } from '../../page/widths.ts'
import { useNotificationSetting } from '../../session/use-notification-setting.ts'
import { htmlPreview } from '../../text/html-preview.ts'
import type { InboxThread } from '../live/use-live-inbox.ts'
import { earlierMessages } from './earlier-messages.ts'
import { useOtherTabs } from './use-other-tabs.ts'

const nameOf = (id: string) => `skein-on-screen-${id}`

/** Lets other tabs see which thread or group this tab shows while it is on screen. */
function useOnScreen(id: string | undefined): void {
  const isVisible = useDocumentVisibility() === 'visible'
  useEffect(() => {
    if (!isVisible || id === undefined) return
    const ended = new AbortController()
    const { signal } = ended
    const untilEnd = () => new Promise((resolve) => signal.addEventListener('abort', resolve))
    // Browsers have locks and notifications only on https and localhost. A closed tab loses its locks.
    navigator.locks?.request(nameOf(id), { mode: 'shared', signal }, untilEnd).catch(() => undefined)
    return () => ended.abort()
  }, [id, isVisible])
}

/** Returns whether a tab shows one of these threads and groups. */
async function isOnScreen(ids: readonly string[]): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return ids.some((id) => held.some(({ name }) => name === nameOf(id)))
}

type Announced = { id: string; html: string; user: { name: string } }

/** Returns a function that notifies the person of new messages in a changed thread that call them. */
export function useNotify(): (thread: InboxThread) => void {
  const { workspaceID } = useParams()
  const openID = useOpenID()
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
  useOnScreen(openID)
  const latest = useRef({ state, openID, navigate })
  useEffect(() => {
    latest.current = { state, openID, navigate }
  })
  return useCallback(
    (thread) => {
      const { id, lastMessage } = thread
      const unreadCount = thread.unreadCount ?? 0
      const places = placesOf(thread)
      const announce = async (message: Announced) => {
        if (tabs.isShown(message.id)) return
        const isOpenHere = places.includes(latest.current.openID ?? '')
        if (isOpenHere && document.visibilityState === 'visible') return tabs.show(message.id)
        if (latest.current.state !== 'on') return
        // Another tab that shows the thread may receive the message later than this tab.
        if ((await isOnScreen(places)) || tabs.isShown(message.id)) return
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
      }
      if (unreadCount === 0) closeWhere(({ data }) => data === id)
      if (!lastMessage) return
      const before = positions.current.get(id)
      positions.current.set(id, lastMessage.position)
      if (unreadCount === 0) return
      if (isNewCall(lastMessage)) announce(lastMessage)
      // If several messages arrive together, `thread` has only the last one.
      const isGapless = before === undefined ? unreadCount === 1 : lastMessage.position <= before + 1
      if (isGapless || latest.current.state !== 'on') return
      earlierMessages(environment, thread, before).then((messages) => {
        for (const message of messages) if (isNewCall(message)) announce(message)
      })
    },
    [environment, workspaceID, tabs, closeWhere],
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

/** Names the author and the thread. For a DM, or a plain thread without a subject, names only the author. */
function titleOf({ subject, isPeristentChat, recipients }: InboxThread, author: string): string {
  const [recipient] = recipients?.nodes ?? []
  const place = subject ?? (isPeristentChat && recipient?.__typename === 'Group' ? recipient.name : null)
  return place === null ? author : `${author} · ${place}`
}

/** Returns the ID of the thread that the page shows, or of the group whose chat it shows. */
function useOpenID(): string | undefined {
  const { pathname, search } = useLocation()
  const [isWide, isNarrow] = [useIsWide(), useIsNarrow()]
  const [, , page, id, below, threadID] = pathname.split('/')
  const isCovered = sideOf(search) !== null && !isWide
  if (isCovered || (page !== 'threads' && page !== 'groups')) return undefined
  if (below === 'threads') return threadID
  // In a narrow window, the page of a group shows only the list.
  return page === 'groups' && isNarrow ? undefined : id
}

/** Returns the IDs of the pages that show a thread. The page of a group shows its group chat. */
function placesOf({ id, isPeristentChat, recipients }: InboxThread): string[] {
  const [recipient] = recipients?.nodes ?? []
  return isPeristentChat && recipient ? [id, recipient.id] : [id]
}

type Message = Pick<NonNullable<InboxThread['lastMessage']>, 'callsViewer' | 'editedAt'>

/** The service decides what calls the person. An edit shows nothing, because its message was shown before. */
function isNewCall({ callsViewer, editedAt }: Message): boolean {
  return callsViewer === true && !editedAt
}
