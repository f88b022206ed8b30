import { useEffect, useEffectEvent, useRef } from 'react'
import { graphql, readInlineData, useFragment, usePaginationFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { inboxThreads_mentions$key } from '../../../generated/console/inboxThreads_mentions.graphql.ts'
import type { inboxThreads_query$key } from '../../../generated/console/inboxThreads_query.graphql.ts'
import type { inboxThreads_thread$key } from '../../../generated/console/inboxThreads_thread.graphql.ts'
import type { inboxThreadsPageQuery } from '../../../generated/console/inboxThreadsPageQuery.graphql.ts'
import type { inboxThreadsQuery } from '../../../generated/console/inboxThreadsQuery.graphql.ts'
import type { Count } from '../../page/filter-tabs.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { useQueuedLoad } from '../../relay/use-pages.ts'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { FailedCount } from './filtered-threads.tsx'
import { ThreadList } from './thread-list.tsx'
import { isFailed } from './thread-lists.ts'
import { useCount } from './thread-tabs.tsx'
import { useThreads } from './use-threads.ts'

const [pageSize, fewestRows] = [50, 30]

/**
 * What concerns the person: the unread threads, followed by all others. Both parts have the latest activity first. Other
 * threads are listed while an unread message mentions the person. Tells `onFailed` how many threads have failed.
 */
export function InboxThreads({ onFailed }: { onFailed: (count: Count) => void }) {
  const { threadID } = useParams()
  const { listVersion } = useViewer()
  const query = useQuery<inboxThreadsQuery>(
    graphql`
      query inboxThreadsQuery {
        ...inboxThreads_query
        ...inboxThreads_mentions
        ...useThreads_query @arguments(filter: { mine: true })
      }
    `,
    {},
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const unread = useUnreadThreads(query)
  const mentions = useOtherMentions(query)
  const all = useThreads(query)
  const wasFirst = useRef<ReadonlySet<string>>(new Set())
  // A thread that is being read keeps its place until another thread is opened.
  const first = merge(unread.threads, mentions).filter(
    ({ id, unreadCount, unreadMentionCount, isMine, isMuted }) =>
      (isMine ? !isMuted && (unreadCount ?? 0) > 0 : (unreadMentionCount ?? 0) > 0) ||
      (id === threadID && wasFirst.current.has(id)),
  )
  const isFirst = new Set(first.map(({ id }) => id))
  useEffect(() => {
    wasFirst.current = isFirst
  })
  const rest = unread.hasNext ? [] : all.threads.filter(({ id, isMine }) => isMine && !isFirst.has(id))
  const next = unread.hasNext ? unread : all
  const loadMore = useQueuedLoad(next.isLoadingNext, () => {
    if (next.hasNext) next.loadNext(pageSize)
  })
  // Null if enough rows are shown. While the list is short, each page that arrives changes the count.
  const shortCount = unread.hasNext && first.length < fewestRows ? unread.threads.length : null
  const fill = useEffectEvent(loadMore)
  useEffect(() => {
    if (shortCount !== null) fill()
  }, [shortCount])
  const loaded = [...unread.threads, ...mentions, ...all.threads]
  const failed = new Set(loaded.filter(isFailed).map(({ id }) => id))
  useCount(all.hasNext ? null : { value: failed.size, isMore: false }, onFailed)
  return (
    <>
      {all.hasNext && (
        <SmallPart>
          <FailedCount onCount={onFailed} />
        </SmallPart>
      )}
      <ThreadList
        name="all"
        unread={first}
        threads={rest}
        loaded={loaded}
        empty="No threads yet. Join a group to see its threads here, or send a message."
        onEnd={loadMore}
      />
    </>
  )
}

/** Returns the threads that were unread when they were loaded or changed, with the latest activity first. */
function useUnreadThreads(query: inboxThreads_query$key) {
  const { data, ...pages } = usePaginationFragment<inboxThreadsPageQuery, inboxThreads_query$key>(
    graphql`
      fragment inboxThreads_query on Query
      @refetchable(queryName: "inboxThreadsPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        unread: threads(first: $first, after: $after, order: lastMessage, filter: { mine: true, unread: true, muted: false })
          @connection(key: "inboxThreads_unread", filters: []) {
          edges {
            node { ...inboxThreads_thread }
          }
        }
      }
    `,
    query,
  )
  return { ...pages, threads: data.unread?.edges.map(threadOf) ?? [] }
}

/**
 * Returns the 100 latest of the other threads that had an unread mention of the person when they were loaded or changed.
 */
function useOtherMentions(query: inboxThreads_mentions$key) {
  const { mentions } = useFragment(
    graphql`
      fragment inboxThreads_mentions on Query {
        mentions: threads(first: 100, order: lastMessage, filter: { mine: false, personal: true })
          @connection(key: "inboxThreads_mentions", filters: []) {
          edges {
            node { ...inboxThreads_thread }
          }
        }
      }
    `,
    query,
  )
  return mentions?.edges.map(threadOf) ?? []
}

function threadOf({ node }: { readonly node: inboxThreads_thread$key }) {
  return readInlineData(
    graphql`
      fragment inboxThreads_thread on Thread @inline {
        id state unreadCount unreadMentionCount isPeristentChat messageCount isMine isMuted lastActivityAt
        ...threadRow_thread
      }
    `,
    node,
  )
}

/** Returns the threads of two lists, each of them once, with the latest activity first. */
function merge<T extends { id: string; lastActivityAt: string }>(
  one: readonly T[],
  other: readonly T[],
): T[] {
  const byID = new Map([...one, ...other].map((thread) => [thread.id, thread]))
  return [...byID.values()].sort((a, b) => Date.parse(b.lastActivityAt) - Date.parse(a.lastActivityAt))
}
