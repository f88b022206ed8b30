import { graphql } from 'react-relay/hooks'
import type { useThreadQuery } from '../../generated/console/useThreadQuery.graphql.ts'
import { useQuery } from '../relay/use-query.ts'
import type { Place } from './use-place.ts'

/** Loads a thread with the messages at a place. */
export function useThread(threadID: string, { around, aroundFirstUnread, key }: Place) {
  return useQuery<useThreadQuery>(
    graphql`
      query useThreadQuery($threadID: ID!, $around: ID, $aroundFirstUnread: Boolean!) {
        latestEventCursor
        thread(id: $threadID) {
          firstUnread { id }
          ...threadView_thread
            @alias(as: "view")
            @arguments(around: $around, aroundFirstUnread: $aroundFirstUnread)
        }
      }
    `,
    { threadID, around, aroundFirstUnread },
    { fetchKey: key, fetchPolicy: 'network-only' },
  )
}
