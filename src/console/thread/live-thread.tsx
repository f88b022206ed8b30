import { useMemo, useState } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import type { liveThreadSubscription } from '../../generated/console/liveThreadSubscription.graphql.ts'
import { appendMessage } from '../relay/append-message.ts'

type Props = { threadID: string; after: string | null | undefined; reload: () => void }

/** Keeps an open thread current: its messages, reactions, recipients and settings. Shows nothing. */
export function LiveThread({ threadID, after, reload }: Props) {
  // Other queries write a later cursor to the Relay store. A subscription after that cursor would skip events.
  const [firstCursor] = useState(after)
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription liveThreadSubscription($threadID: ID!, $after: String) {
          threadEvents(threadID: $threadID, after: $after) {
            cursor
            message {
              id cursor position createdAt deletedAt text user { id } event { type }
              ...messageRow_message
            }
            thread {
              id messageCount unreadCount firstUnread { id }
              ...threadHeader_thread
              ...threadComposer_thread
            }
          }
        }
      `,
      variables: { threadID, after: firstCursor },
      updater: (store: Parameters<typeof appendMessage>[0]) =>
        appendMessage(store, threadID, store.getRootField('threadEvents')?.getLinkedRecord('message')),
      onError: reload,
      onCompleted: reload,
    }),
    [threadID, firstCursor, reload],
  )
  useSubscription<liveThreadSubscription>(config)
  return null
}
