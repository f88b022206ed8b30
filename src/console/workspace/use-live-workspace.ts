import { useCallback } from 'react'
import type { UnreadCounts } from '../relay/unread/unread-counts.ts'
import { useReconnect } from '../session/connection.ts'
import { announceChange } from '../session/inbox-change.ts'
import { useLiveGroups } from './live/use-live-groups.ts'
import { type InboxThread, useLiveInbox } from './live/use-live-inbox.ts'
import { useNotify } from './notifications/use-notify.ts'

type Options = {
  viewerID: string
  after: string | null | undefined
  unread: UnreadCounts
  reload: () => void
}

/** Keeps the lists of threads, the unread count, groups and people current on every page, and shows notifications. */
export function useLiveWorkspace({ viewerID, after, unread, ...options }: Options): void {
  const notify = useNotify()
  const onChange = useCallback(
    (thread: InboxThread) => {
      unread.expectChange(thread.id)
      announceChange()
      notify(thread)
    },
    [unread, notify],
  )
  const reload = useCallback(() => {
    unread.forget()
    options.reload()
  }, [unread, options.reload])
  useLiveInbox({ after, reload, onChange })
  useLiveGroups({ viewerID, after, reload })
  // The event log does not contain reads, and the person may have read threads in another window. Therefore, everything
  // is loaded again.
  useReconnect(reload)
}
