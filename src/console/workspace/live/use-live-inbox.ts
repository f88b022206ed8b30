import { useMemo } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import type { RecordSourceSelectorProxy } from 'relay-runtime'
import type { useLiveInboxSubscription } from '../../../generated/console/useLiveInboxSubscription.graphql.ts'
import { placeThread } from '../../inbox/list/place-thread.ts'
import { listStartedThread } from '../../thread/message/started-threads.tsx'

type Response = useLiveInboxSubscription['response'] | null | undefined
export type InboxThread = NonNullable<NonNullable<NonNullable<Response>['inbox']>['thread']>

type Listeners = { reload: () => void; onChange: (thread: InboxThread) => void }

/**
 * Keeps all lists of threads current, including the lists under messages. Calls `reload` if an event does not contain
 * the changed thread, or if the subscription ends.
 */
export function useLiveInbox(after: string | null | undefined, { reload, onChange }: Listeners): void {
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription useLiveInboxSubscription($after: String) {
          inbox(after: $after) {
            cursor
            threadID
            thread {
              id subject unreadCount messageCount isPeristentChat
              recipients(first: 5) { nodes { __typename id name } }
              all: recipients(first: 100) { nodes { __typename id } }
              lastMessage {
                id position html createdAt editedAt deletedAt calledAt
                user { id name }
                event { type }
                mentions(first: 100) { nodes { id ... on Group { viewerRole } } }
              }
              fromMessage { id }
              ...threadRow_thread
              ...startedThreads_thread
            }
          }
        }
      `,
      variables: { after },
      updater: (store: RecordSourceSelectorProxy, response: Response) => {
        const thread = store.getRootField('inbox')?.getLinkedRecord('thread')
        placeThread(store, thread)
        listStartedThread(thread)
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
