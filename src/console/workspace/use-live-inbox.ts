import { useMemo } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import type { useLiveInboxSubscription } from '../../generated/console/useLiveInboxSubscription.graphql.ts'
import { moveToTop } from './move-to-top.ts'

export type InboxThread = NonNullable<NonNullable<useLiveInboxSubscription['response']['inbox']>['thread']>

type Listeners = { reload: () => void; onChange: (thread: InboxThread) => void }

/** Keeps all lists of threads current. Calls `reload` when single changes do not tell enough. */
export function useLiveInbox(after: string | null | undefined, { reload, onChange }: Listeners): void {
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription useLiveInboxSubscription($after: String) {
          inbox(after: $after) {
            cursor
            threadID
            thread {
              id unreadCount messageCount isPeristentChat
              recipients(first: 5) { nodes { __typename id } }
              lastMessage {
                id text createdAt editedAt deletedAt
                user { id name }
                event { type }
                mentions(first: 100) { nodes { id } }
              }
              ...threadRow_thread
            }
          }
        }
      `,
      variables: { after },
      updater: moveToTop,
      onNext: (response: useLiveInboxSubscription['response'] | null | undefined) => {
        if (response?.inbox?.thread) onChange(response.inbox.thread)
        else reload()
      },
      onError: reload,
      onCompleted: reload,
    }),
    [after, reload, onChange],
  )
  useSubscription<useLiveInboxSubscription>(config)
}
