import { useMemo } from 'react'
import { graphql } from 'react-relay/hooks'
import type { RecordSourceSelectorProxy } from 'relay-runtime'
import type { useLiveInboxSubscription } from '../../../generated/console/useLiveInboxSubscription.graphql.ts'
import { placeThread } from '../../inbox/list/place-thread.ts'
import { useStream } from '../../relay/use-stream.ts'
import { listStartedThread } from '../../thread/message/started-threads.tsx'

type Response = useLiveInboxSubscription['response'] | null | undefined
export type InboxThread = NonNullable<NonNullable<NonNullable<Response>['inbox']>['thread']>

type Options = {
  after: string | null | undefined
  reload: () => void
  onChange: (thread: InboxThread) => void
}

/**
 * Keeps all lists of threads current, including the lists under messages. Calls `reload` if an event does not contain
 * the changed thread.
 */
export function useLiveInbox({ after, reload, onChange }: Options): void {
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription useLiveInboxSubscription($after: String) {
          inbox(after: $after) {
            cursor
            threadID
            thread {
              id kind subject createdAt unreadCount unreadMentionCount messageCount isPeristentChat isMine isMuted isFollowed isPinned
              recipients(first: 5) { nodes { __typename id name } }
              all: recipients(first: 100) { nodes { __typename id } }
              lastMessage {
                id position html createdAt editedAt callsViewer
                user { name }
              }
              fromMessage { id }
              ...threadRow_thread
              ...startedThreads_thread
            }
          }
        }
      `,
      variables: {},
      updater: (store: RecordSourceSelectorProxy, response: Response) => {
        const thread = store.getRootField('inbox')?.getLinkedRecord('thread')
        placeThread(store, thread)
        listStartedThread(thread)
        if (response?.inbox?.thread) onChange(response.inbox.thread)
        else reload()
      },
    }),
    [reload, onChange],
  )
  useStream<useLiveInboxSubscription>(config, { after, reload })
}
