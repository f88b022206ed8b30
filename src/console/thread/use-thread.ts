import { createContext, useContext, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { useThreadQuery } from '../../generated/console/useThreadQuery.graphql.ts'
import { useQuery } from '../relay/use-query.ts'
import type { Place } from './use-place.ts'

/** The value of performance.now() when the workspace was opened. */
export const OpenedAtContext = createContext(Number.NEGATIVE_INFINITY)

/**
 * The page of a thread uses the result of `useEarlyThread` only if the workspace loads within this time. With an older
 * result, the messages that arrived later would not be shown as unread.
 */
const freshMs = 2000

export function useThread(threadID: string, place: Place) {
  const openedAt = useContext(OpenedAtContext)
  const [isEarly] = useState(() => performance.now() - openedAt < freshMs)
  return useThreadAt(threadID, place, isEarly ? 'early' : 'late')
}

/** Loads the thread of the URL while the workspace loads. */
export function useEarlyThread(threadID: string, place: Place): void {
  useThreadAt(threadID, place, 'early')
}

function useThreadAt(
  threadID: string,
  { around, aroundFirstUnread, key }: Place,
  when: 'early' | 'late',
): useThreadQuery['response'] {
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
    { fetchKey: `${when}-${key}`, fetchPolicy: 'network-only' },
  )
}
