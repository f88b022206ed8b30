import { useCallback, useEffect, useRef } from 'react'
import { useIsConnected } from './connection.ts'
import { useNotify } from './notifications.ts'
import { type InboxThread, useLiveInbox } from './use-live-inbox.ts'
import { useUnreadCount } from './use-unread-count.ts'

type Options = { viewerID: string; after: string | null | undefined; reload: () => void }

/** Keeps the lists of threads and the unread count current on every page, and shows notifications. */
export function useLiveWorkspace({ viewerID, after, reload }: Options): void {
  const countUnread = useUnreadCount()
  const notify = useNotify(viewerID)
  const onChange = useCallback(
    (thread: InboxThread) => {
      countUnread()
      notify(thread)
    },
    [countUnread, notify],
  )
  useLiveInbox(after, { reload, onChange })
  const isConnected = useIsConnected()
  const wasConnected = useRef(true)
  useEffect(() => {
    // The log does not have what the person read in another window during the interruption.
    if (isConnected && !wasConnected.current) reload()
    wasConnected.current = isConnected
  }, [isConnected, reload])
}
