import { Text } from '@mantine/core'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay/hooks'
import { Virtuoso } from 'react-virtuoso'
import type { threadList_query$key } from '../../generated/console/threadList_query.graphql.ts'
import type { threadListPageQuery } from '../../generated/console/threadListPageQuery.graphql.ts'
import type { threadListQuery } from '../../generated/console/threadListQuery.graphql.ts'
import { useViewer } from '../workspace/viewer.ts'
import { type ThreadListName, threadLists } from './thread-lists.ts'
import { ThreadRow } from './thread-row.tsx'

/** The threads of a list with the latest activity first. The workspace keeps it live. */
export function ThreadList({ name }: { name: ThreadListName }) {
  const { listVersion } = useViewer()
  const data = useLazyLoadQuery<threadListQuery>(
    graphql`query threadListQuery($filter: ThreadFilter) { ...threadList_query @arguments(filter: $filter) }`,
    { filter: threadLists[name].filter },
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  return <Threads query={data} name={name} />
}

function Threads({ query, name }: { query: threadList_query$key; name: ThreadListName }) {
  const { data, hasNext, loadNext } = usePaginationFragment<threadListPageQuery, threadList_query$key>(
    graphql`
      fragment threadList_query on Query
      @refetchable(queryName: "threadListPageQuery")
      @argumentDefinitions(
        first: { type: "Int", defaultValue: 50 }
        after: { type: "String" }
        filter: { type: "ThreadFilter" }
      ) {
        threads(first: $first, after: $after, order: lastMessage, filter: $filter)
          @connection(key: "threadList_threads", filters: ["filter"]) {
          edges { node { id isPeristentChat messageCount ...threadRow_thread } }
        }
      }
    `,
    query,
  )
  // The service creates group chats and DMs when somebody looks at them.
  const edges = (data.threads?.edges ?? []).filter(
    ({ node }) => !node.isPeristentChat || node.messageCount !== 0,
  )
  if (edges.length === 0)
    return (
      <Text p="md" c="dimmed">
        {threadLists[name].empty}
      </Text>
    )
  return (
    <Virtuoso
      data={edges}
      computeItemKey={(_index, { node }) => node.id}
      endReached={() => hasNext && loadNext(50)}
      itemContent={(_index, { node }) => <ThreadRow thread={node} list={name} />}
    />
  )
}
