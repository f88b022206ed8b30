import { type ReactNode, Suspense } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import type { threadPageQuery } from '../../generated/console/threadPageQuery.graphql.ts'
import { Loading } from '../page/loading.tsx'
import { NotFound } from '../page/not-found.tsx'
import { ThreadView } from './thread-view.tsx'

type Props = { threadID: string; messageID: string | undefined; header?: ReactNode }

/** A thread. It opens at the message of the URL, otherwise at the first unread message, otherwise at the end. */
export function ThreadPage({ threadID, messageID, header }: Props) {
  const { thread } = useLazyLoadQuery<threadPageQuery>(
    graphql`query threadPageQuery($threadID: ID!) { thread(id: $threadID) { id firstUnread { id } } }`,
    { threadID },
    { fetchPolicy: 'network-only' },
  )
  if (!thread) return <NotFound what="Thread" />
  return (
    <Suspense fallback={<Loading />}>
      <ThreadView
        key={threadID}
        threadID={threadID}
        messageID={messageID}
        header={header}
        firstUnreadID={thread.firstUnread?.id ?? null}
      />
    </Suspense>
  )
}
