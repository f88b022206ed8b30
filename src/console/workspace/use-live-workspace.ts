import { useThrottledCallback } from '@mantine/hooks'
import { useCallback } from 'react'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay/hooks'
import type { useLiveWorkspaceUnreadQuery } from '../../generated/console/useLiveWorkspaceUnreadQuery.graphql.ts'
import { useReconnect } from '../session/connection.ts'
import { useLiveGroups } from './live/use-live-groups.ts'
import { type InboxThread, useLiveInbox } from './live/use-live-inbox.ts'
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

/** Returns a function that loads the number of unread threads again, at most once a second. */
function useUnreadCount(): () => void {
  const environment = useRelayEnvironment()
  return useThrottledCallback(() => {
    const query = graphql`query useLiveWorkspaceUnreadQuery { viewer { unreadThreadCount } }`
    // A failure needs no message, because the next change loads the number again.
    fetchQuery<useLiveWorkspaceUnreadQuery>(environment, query, {}).subscribe({ error: () => {} })
  }, 1000)
}
