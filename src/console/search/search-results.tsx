import { Group, Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import { Link, useLocation, useParams } from 'react-router'
import type {
  searchResults_query$data,
  searchResults_query$key,
} from '../../generated/console/searchResults_query.graphql.ts'
import type { searchResultsQuery } from '../../generated/console/searchResultsQuery.graphql.ts'
import type { threadTitle_thread$key } from '../../generated/console/threadTitle_thread.graphql.ts'
import { GroupChip } from '../inbox/list/thread-row-parts.tsx'
import { ShowMore } from '../page/show-more.tsx'
import { StateMark } from '../page/state-mark.tsx'
import { usePages } from '../relay/use-pages.ts'
import { useQuery } from '../relay/use-query.ts'
import { htmlPreview } from '../text/html-preview.ts'
import { shortTime } from '../text/time.ts'
import { useToday } from '../text/use-today.ts'
import { useThreadTitle } from '../thread/thread-title.ts'
import { hintFor } from './no-results-hint.ts'
import { searchOf } from './search-filter.ts'
import styles from './search-results.module.css'

const pageSize = 20

export function SearchResults({ params }: { params: URLSearchParams }) {
  const query = useQuery<searchResultsQuery>(
    graphql`
      query searchResultsQuery($query: String!, $filter: MessageSearchFilter, $order: MessageSearchOrder) {
        ...searchResults_query @arguments(query: $query, filter: $filter, order: $order)
      }
    `,
    searchOf(params),
    { fetchPolicy: 'store-and-network' },
  )
  return <Results query={query} params={params} />
}

function Results({ query, params }: { query: searchResults_query$key; params: URLSearchParams }) {
  const { data, more } = usePages(
    graphql`
      fragment searchResults_query on Query
      @refetchable(queryName: "searchResultsPageQuery")
      @argumentDefinitions(
        query: { type: "String!" }
        filter: { type: "MessageSearchFilter" }
        order: { type: "MessageSearchOrder" }
        first: { type: "Int", defaultValue: 20 }
        after: { type: "String" }
      ) {
        searchMessages(query: $query, filter: $filter, order: $order, first: $first, after: $after)
          @connection(key: "searchResults_searchMessages") {
          edges {
            excerpt
            node { id createdAt user { name } thread { id subject isPeristentChat state recipients(first: 5) {
                nodes { __typename ... on User { id name kind avatarURL } ... on Group { id name isPrivate } }
              } ...threadTitle_thread } }
          }
        }
      }
    `,
    query,
    pageSize,
  )
  const edges = data.searchMessages?.edges ?? []
  if (edges.length === 0) return <NoResults params={params} />
  return (
    <>
      {edges.map((edge) => (
        <SearchResult key={edge.node.id} edge={edge} />
      ))}
      <ShowMore {...more} />
    </>
  )
}

function NoResults({ params }: { params: URLSearchParams }) {
  return (
    <Text pt="md" role="status">
      No messages found. {hintFor(params)}
    </Text>
  )
}

type Edge = NonNullable<searchResults_query$data['searchMessages']>['edges'][number]

/** A message that was found. It links to its place in the thread. */
function SearchResult({ edge: { excerpt, node } }: { edge: Edge }) {
  const { workspaceID } = useParams()
  const { search } = useLocation()
  const today = useToday()
  const { id, createdAt, user, thread } = node
  if (!thread) return null
  const parts = partsOf(excerpt, thread.subject)
  const isDM = thread.isPeristentChat && thread.recipients?.nodes[0]?.__typename === 'User'
  return (
    <Link
      className={styles.result ?? ''}
      to={`/${workspaceID}/threads/${thread.id}/${id}`}
      state={{ list: `search${search}` }}
    >
      <Group gap="xs" wrap="nowrap">
        <Text fw={600} size="sm" truncate>
          {user.name}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {isDM ? 'in a direct message with' : 'in'} <StateMark state={thread.state} />
          {parts.subject === null ? (
            <ThreadTitle thread={thread} />
          ) : (
            // biome-ignore lint/security/noDangerouslySetInnerHtml: The service escapes all text.
            <bdi className={styles.marked} dangerouslySetInnerHTML={{ __html: parts.subject }} />
          )}
        </Text>
        {!thread.isPeristentChat && (
          <GroupChip recipients={thread.recipients?.nodes ?? []} listGroupID={undefined} />
        )}
        <Text size="xs" c="dimmed" component="time" dateTime={createdAt} className={styles.time ?? ''}>
          {shortTime(createdAt, today)}
        </Text>
      </Group>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: The service escapes all text. */}
      <div className={styles.excerpt} dir="auto" dangerouslySetInnerHTML={{ __html: parts.text }} />
    </Link>
  )
}

const separator = ' — '

/** If words of the subject match, the excerpt begins with it, as if the author had written it. Returns both as HTML. */
function partsOf(excerpt: string, subject: string | null | undefined) {
  const title = subject?.replace(/\s+/g, ' ').trim()
  for (let at = excerpt.indexOf(separator); at >= 0; at = excerpt.indexOf(separator, at + 1)) {
    const start = excerpt.slice(0, at)
    if (htmlPreview(start) === title) return { subject: start, text: excerpt.slice(at + separator.length) }
  }
  return { subject: null, text: excerpt }
}

function ThreadTitle({ thread }: { thread: threadTitle_thread$key }) {
  return useThreadTitle(thread)
}
