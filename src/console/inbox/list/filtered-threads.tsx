import { graphql } from 'react-relay/hooks'
import type { filteredThreadsQuery } from '../../../generated/console/filteredThreadsQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { ThreadList } from './thread-list.tsx'
import { directMessages, failedThreads } from './thread-lists.ts'
import { useThreads } from './use-threads.ts'

/** The DMs of the person, with the latest activity first. */
export function DirectMessages() {
  const { threads, onEnd } = useFilteredThreads(directMessages)
  return (
    <ThreadList
      name="dms"
      threads={threads}
      loaded={threads}
      empty="No direct messages yet. To start one, select a person above."
      onEnd={onEnd}
    />
  )
}

/** The threads that have failed, with the latest activity first. A thread whose state changes leaves the list. */
export function FailedThreads() {
  const { threads, onEnd } = useFilteredThreads(failedThreads)
  return (
    <ThreadList
      name="failed"
      threads={threads.filter(({ state }) => state === failedThreads.state)}
      loaded={threads}
      empty="No thread has the state “Failed”."
      onEnd={onEnd}
    />
  )
}

function useFilteredThreads(filter: filteredThreadsQuery['variables']['filter']) {
  const { listVersion } = useViewer()
  const query = useQuery<filteredThreadsQuery>(
    graphql`query filteredThreadsQuery($filter: ThreadFilter) { ...useThreads_query @arguments(filter: $filter) }`,
    { filter },
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const { threads, hasNext, loadNext } = useThreads(query)
  return { threads, onEnd: () => hasNext && loadNext(50) }
}
