import { useThrottledCallback } from '@mantine/hooks'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay/hooks'
import type { useUnreadCountQuery } from '../../../generated/console/useUnreadCountQuery.graphql.ts'

const pauseMs = 1000

/** Returns a function that loads the number of unread threads again, at most once a second. */
export function useUnreadCount(): () => void {
  const environment = useRelayEnvironment()
  return useThrottledCallback(() => {
    const query = graphql`query useUnreadCountQuery { viewer { unreadThreadCount } }`
    // A failure needs no message, because the next change loads the number again.
    fetchQuery<useUnreadCountQuery>(environment, query, {}).subscribe({ error: () => {} })
  }, pauseMs)
}
