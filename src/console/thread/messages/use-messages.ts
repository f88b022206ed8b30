import { useCallback, useEffect, useState } from 'react'
import { commitLocalUpdate, graphql, usePaginationFragment, useRelayEnvironment } from 'react-relay/hooks'
import { ConnectionHandler } from 'relay-runtime'
import type { useMessages_thread$key } from '../../../generated/console/useMessages_thread.graphql.ts'
import type { useMessagesPageQuery } from '../../../generated/console/useMessagesPageQuery.graphql.ts'

const pageSize = 50
/** The first page can be around a message; the others are before or after a cursor. */
const extraVariables = { around: null }

/** Returns the messages that are loaded, and loads more. While the list follows, missing messages are loaded at once. */
export function useMessages(thread: useMessages_thread$key, isFollowing: boolean) {
  const environment = useRelayEnvironment()
  const [problem, setProblem] = useState<string | null>(null)
  const page = usePaginationFragment<useMessagesPageQuery, useMessages_thread$key>(
    graphql`
      fragment useMessages_thread on Thread
      @refetchable(queryName: "useMessagesPageQuery")
      @argumentDefinitions(
        first: { type: "Int" }
        after: { type: "String" }
        last: { type: "Int" }
        before: { type: "String" }
        around: { type: "ID" }
      ) {
        id
        unreadCount
        messageCount
        ...useMarkRead_thread
        messages(first: $first, after: $after, last: $last, before: $before, around: $around)
          @connection(key: "useMessages_messages", filters: []) {
          edges {
            cursor
            node {
              id cursor position createdAt deletedAt text user { id } event { type }
              ...messageRow_message
            }
          }
        }
      }
    `,
    thread,
  )
  const { data, hasNext, hasPrevious, isLoadingNext, isLoadingPrevious } = page
  const messages = data.messages?.edges.map(({ node }) => node) ?? []
  const options = {
    onComplete: (error: Error | null) => setProblem(error?.message ?? null),
    UNSTABLE_extraVariables: extraVariables,
  }
  const loadNext = () => void (hasNext && !isLoadingNext && page.loadNext(pageSize, options))
  const loadPrevious = () => void (hasPrevious && !isLoadingPrevious && page.loadPrevious(pageSize, options))

  // A message that arrived while the last page was loading is in neither.
  const isBehind = !hasNext && !isLoadingNext && (data.messageCount ?? 0) > (messages.at(-1)?.position ?? 0)
  const { id } = data
  useEffect(() => {
    if (!isBehind) return
    commitLocalUpdate(environment, (store) => {
      const record = store.get(id)
      const list = record && ConnectionHandler.getConnection(record, 'useMessages_messages')
      list?.getLinkedRecord('pageInfo')?.setValue(true, 'hasNextPage')
    })
  }, [isBehind, environment, id])
  const loadsNow = isFollowing && hasNext && !isLoadingNext && problem === null
  // The function is a new one in each render.
  useEffect(() => {
    if (loadsNow) loadNext()
  }, [loadsNow])
  const retry = useCallback(() => setProblem(null), [])
  return { data, messages, hasNext, loadNext, loadPrevious, edges: { hasNext, hasPrevious, problem, retry } }
}
