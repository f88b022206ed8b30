import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { commitLocalUpdate, graphql, usePaginationFragment, useRelayEnvironment } from 'react-relay/hooks'
import { ConnectionHandler } from 'relay-runtime'
import type { useMessages_thread$key } from '../../../generated/console/useMessages_thread.graphql.ts'
import type { useMessagesPageQuery } from '../../../generated/console/useMessagesPageQuery.graphql.ts'
import { errorText } from '../../relay/error-text.ts'
import { useQueuedLoad } from '../../relay/use-pages.ts'

const pageSize = 100
/** A count can arrive this long before the message that it counts. */
const arrivalMs = 500
/** Only the query of the first page uses these arguments. Later pages begin before or after a cursor. */
const extraVariables = { around: null, aroundFirstUnread: null }

/** Why the pages before and after the loaded messages could not be loaded. */
export type PageProblems = { previous: string | null; next: string | null }

type Options = { isFollowing: boolean; isReplaced: boolean; messageCount: number }

/**
 * Returns the messages that are loaded, and loads more. While the list follows new messages, missing messages are
 * loaded immediately. The fragment does not select `messageCount`, because a page that was requested before the last
 * event would restore the old count.
 */
export function useMessages(thread: useMessages_thread$key, options: Options) {
  const { isFollowing, isReplaced, messageCount: count } = options
  const environment = useRelayEnvironment()
  const [problems, setProblems] = useState<PageProblems>({ previous: null, next: null })
  const optionsFor = (side: keyof PageProblems) => ({
    onComplete: (error: Error | null) =>
      setProblems((current) => ({ ...current, [side]: error && errorText(error) })),
    UNSTABLE_extraVariables: extraVariables,
  })
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
        aroundFirstUnread: { type: "Boolean" }
      ) {
        id
        messages(
          first: $first
          after: $after
          last: $last
          before: $before
          around: $around
          aroundFirstUnread: $aroundFirstUnread
        )
          @connection(key: "useMessages_messages", filters: []) {
          edges {
            cursor
            node {
              id cursor position createdAt deletedAt text html senderName user { id name kind avatarURL } origin { kind via } event { type }
              ...messageRow_message
            }
          }
        }
      }
    `,
    thread,
  )
  const { data, hasNext, hasPrevious, isLoadingNext, isLoadingPrevious } = page
  const loaded = data.messages?.edges.map(({ node }) => node) ?? []
  const shown = useRef(loaded)
  if (!isReplaced) shown.current = loaded
  const messages = shown.current
  const loadNext = useQueuedLoad(isLoadingNext, () => {
    if (hasNext) page.loadNext(pageSize, optionsFor('next'))
  })
  const loadPrevious = useQueuedLoad(isLoadingPrevious, () => {
    if (hasPrevious) page.loadPrevious(pageSize, optionsFor('previous'))
  })
  const retry = () => {
    setProblems({ previous: null, next: null })
    if (problems.previous !== null) loadPrevious()
    if (problems.next !== null) loadNext()
  }

  // A message can arrive while the last page loads. Then it is in neither the page nor the list. Therefore, another
  // page is requested, but only once for each message count.
  const requested = useRef(0)
  // An empty list is never behind, because it has no cursor from which to load a page. The subscription delivers all
  // messages of the thread.
  const position = messages.at(-1)?.position
  const { id } = data
  // The wait starts again when a message has arrived.
  useEffect(() => {
    const isBehind = position !== undefined && !hasNext && !isLoadingNext && count > position
    if (!isBehind || requested.current === count) return
    const markIncomplete = () => {
      requested.current = count
      commitLocalUpdate(environment, (store) => {
        const record = store.get(id)
        const list = record && ConnectionHandler.getConnection(record, 'useMessages_messages')
        list?.getLinkedRecord('pageInfo')?.setValue(true, 'hasNextPage')
      })
    }
    const timer = setTimeout(markIncomplete, arrivalMs)
    return () => clearTimeout(timer)
  }, [count, position, hasNext, isLoadingNext, environment, id])
  const loadsNow = isFollowing && hasNext && !isLoadingNext && problems.next === null
  const loadMissing = useEffectEvent(loadNext)
  useEffect(() => {
    if (loadsNow) loadMissing()
  }, [loadsNow])
  return { data, messages, hasNext, loadNext, loadPrevious, edges: { hasNext, hasPrevious, problems, retry } }
}
