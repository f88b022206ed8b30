import { graphql } from 'react-relay/hooks'
import type { threadPageQuery } from '../../generated/console/threadPageQuery.graphql.ts'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { NotFound } from '../page/problems/not-found.tsx'
import { useQuery } from '../relay/use-query.ts'
import { ThreadView } from './thread-view.tsx'

type Props = { threadID: string; messageID: string | undefined }

/** A thread. It opens at the message of the URL, otherwise at the first unread message, otherwise at the end. */
export function ThreadPage({ threadID, messageID }: Props) {
  const { thread } = useQuery<threadPageQuery>(
    graphql`query threadPageQuery($threadID: ID!) { thread(id: $threadID) { id firstUnread { id } } }`,
    { threadID },
    { fetchPolicy: 'network-only' },
  )
  if (!thread) return <NotFound what="Thread" />
  return (
    <LoadingBoundary>
      <ThreadView
        key={threadID}
        threadID={threadID}
        messageID={messageID}
        firstUnreadID={thread.firstUnread?.id ?? null}
      />
    </LoadingBoundary>
  )
}
