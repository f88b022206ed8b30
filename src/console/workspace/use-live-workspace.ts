import { useCallback } from 'react'
import { useReconnect } from '../session/use-reconnect.ts'
import { useLiveGroups } from './live/use-live-groups.ts'
import { type InboxThread, useLiveInbox } from './live/use-live-inbox.ts'
import { useUnreadCount } from './live/use-unread-count.ts'
import { useNotify } from './notifications/use-notify.ts'

type Options = { viewerID: string; after: string | null | undefined; reload: () => void }

/** Keeps the lists of threads, the unread count, groups and people current on every page, and shows notifications. */
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
  useLiveGroups({ viewerID, after, reload })
  // The event log does not contain reads, and the person may have read threads in another window. Therefore, everything
  // is loaded again.
  useReconnect(reload)
}
