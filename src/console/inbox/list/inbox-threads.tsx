import { useEffect, useEffectEvent, useRef } from 'react'
import { graphql, usePaginationFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { inboxThreads_query$key } from '../../../generated/console/inboxThreads_query.graphql.ts'
import type { inboxThreadsPageQuery } from '../../../generated/console/inboxThreadsPageQuery.graphql.ts'
import type { inboxThreadsQuery } from '../../../generated/console/inboxThreadsQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { ThreadList } from './thread-list.tsx'
import { useThreads } from './use-threads.ts'

const [pageSize, fewestRows] = [50, 30]

/** The unread threads of the person, followed by all others. Both parts have the latest activity first. */
export function InboxThreads({ isOnlyUnread }: { isOnlyUnread: boolean }) {
  const { threadID } = useParams()
  const { listVersion } = useViewer()
  const query = useQuery<inboxThreadsQuery>(
    graphql`query inboxThreadsQuery { ...inboxThreads_query ...useThreads_query }`,
    {},
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const unread = useUnreadThreads(query)
  const all = useThreads(query)
  const wasFirst = useRef<ReadonlySet<string>>(new Set())
  // A thread that is being read keeps its place until another thread is opened.
  const first = unread.threads.filter(
    ({ id, unreadCount }) => (unreadCount ?? 0) > 0 || (id === threadID && wasFirst.current.has(id)),
  )
  const isFirst = new Set(first.map(({ id }) => id))
  useEffect(() => {
    wasFirst.current = isFirst
  })
  const hidesRest = isOnlyUnread || unread.hasNext
  const rest = hidesRest ? [] : all.threads.filter(({ id }) => !isFirst.has(id))
  const loadMore = () => {
    const next = unread.hasNext ? unread : all
    if (next.hasNext && !next.isLoadingNext && !(isOnlyUnread && next === all)) next.loadNext(pageSize)
  }
  // Null if enough rows are shown. While the list is short, each page that arrives changes the count.
  const shortCount = unread.hasNext && first.length < fewestRows ? unread.threads.length : null
  const fill = useEffectEvent(loadMore)
  useEffect(() => {
    if (shortCount !== null) fill()
  }, [shortCount])
  return (
    <ThreadList
      name={isOnlyUnread ? 'unread' : 'all'}
      unread={first}
      threads={rest}
      loaded={[...unread.threads, ...all.threads]}
      empty={
        isOnlyUnread ? 'You have read everything.' : 'No threads yet. To start one, select “New message”.'
      }
      onEnd={loadMore}
    />
  )
}

/** Returns the threads that were unread when they were loaded or changed, with the latest activity first. */
function useUnreadThreads(query: inboxThreads_query$key) {
  const { data, ...pages } = usePaginationFragment<inboxThreadsPageQuery, inboxThreads_query$key>(
    graphql`
      fragment inboxThreads_query on Query
      @refetchable(queryName: "inboxThreadsPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        unread: threads(first: $first, after: $after, order: lastMessage, filter: { unread: true })
          @connection(key: "inboxThreads_unread", filters: []) {
          edges { node { id unreadCount isPeristentChat messageCount ...threadRow_thread } }
        }
      }
    `,
    query,
  )
  return { ...pages, threads: data.unread?.edges.map(({ node }) => node) ?? [] }
}
