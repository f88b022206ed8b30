import { graphql } from 'react-relay/hooks'
import type { directMessagesQuery } from '../../../generated/console/directMessagesQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { ThreadList } from './thread-list.tsx'
import { directMessages } from './thread-lists.ts'
import { useThreads } from './use-threads.ts'

/** The DMs of the person, with the latest activity first. */
export function DirectMessages() {
  const { listVersion } = useViewer()
  const query = useQuery<directMessagesQuery>(
    graphql`query directMessagesQuery($filter: ThreadFilter) { ...useThreads_query @arguments(filter: $filter) }`,
    { filter: directMessages },
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const { threads, hasNext, loadNext } = useThreads(query)
  return (
    <ThreadList
      name="dms"
      threads={threads}
      loaded={threads}
      empty="No direct messages yet. To start one, select a person above."
      onEnd={() => hasNext && loadNext(50)}
    />
  )
}
