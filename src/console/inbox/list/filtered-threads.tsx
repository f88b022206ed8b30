import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { filteredThreadsQuery } from '../../../generated/console/filteredThreadsQuery.graphql.ts'
import type { Count } from '../../page/filter-tabs.tsx'
import { useQueuedLoad } from '../../relay/use-pages.ts'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { ThreadList } from './thread-list.tsx'
import { directMessages, failedThreads, followedThreads, isFailed, personalThreads } from './thread-lists.ts'
import { useCount } from './thread-tabs.tsx'
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

/** DMs, and threads with unread messages that mention the person. A thread that is open stays listed after it was read. */
export function PersonalThreads() {
  const { threadID } = useParams()
  const { threads, onEnd } = useFilteredThreads(personalThreads)
  return (
    <ThreadList
      name="personal"
      threads={threads.filter(
        ({ id, kind, unreadMentionCount }) =>
          kind === 'dm' || (unreadMentionCount ?? 0) > 0 || id === threadID,
      )}
      loaded={threads}
      empty="Nothing is for you alone: no direct messages, and no unread mentions."
      onEnd={onEnd}
    />
  )
}

/**
 * What concerns the person and has failed. A thread whose state changes leaves the list. Tells `onCount` how many threads
 * it has.
 */
export function FailedThreads(props: CountProps) {
  const { threads, failed, onEnd } = useFailedThreads(props)
  return <ThreadList name="failed" threads={failed} loaded={threads} empty={nothingFailed} onEnd={onEnd} />
}

/** Counts for the tab of a list that has not loaded all threads. Shows nothing. */
export function FailedCount(props: CountProps) {
  useFailedThreads(props)
  return null
}

type CountProps = { onCount: (count: Count) => void }

function useFailedThreads({ onCount }: CountProps) {
  const { threads, onEnd, hasNext } = useFilteredThreads(failedThreads)
  const failed = threads.filter(isFailed)
  useCount({ value: failed.length, isMore: hasNext }, onCount)
  return { threads, failed, onEnd }
}

/** What the tab is for, because a newcomer sees it only empty. */
export const nothingFailed =
  'Nothing has failed. This list has the threads in which a program, such as a build or an alert, reported a failure.'

/** The threads that the person follows. */
export function FollowedThreads() {
  const { threads, onEnd } = useFilteredThreads(followedThreads)
  return (
    <ThreadList
      name="followed"
      threads={threads.filter(({ isFollowed }) => isFollowed)}
      loaded={threads}
      empty="You follow no threads. You follow the threads that you start, write in, or are mentioned in."
      onEnd={onEnd}
    />
  )
}

/** Loads the threads that match a filter, with the latest activity first. `onEnd` loads more. */
export function useFilteredThreads(filter: filteredThreadsQuery['variables']['filter']) {
  const { listVersion } = useViewer()
  const query = useQuery<filteredThreadsQuery>(
    graphql`query filteredThreadsQuery($filter: ThreadFilter) { ...useThreads_query @arguments(filter: $filter) }`,
    { filter },
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const { threads, hasNext, isLoadingNext, loadNext } = useThreads(query)
  const onEnd = useQueuedLoad(isLoadingNext, () => {
    if (hasNext) loadNext(50)
  })
  return { threads, hasNext, onEnd }
}
