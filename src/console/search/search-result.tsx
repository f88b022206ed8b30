import { Group, Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { searchResult_edge$key } from '../../generated/console/searchResult_edge.graphql.ts'
import type { threadTitle_thread$key } from '../../generated/console/threadTitle_thread.graphql.ts'
import { SafeHTML } from '../page/safe-html.tsx'
import { shortTime } from '../text/time.ts'
import { useToday } from '../text/use-today.ts'
import { useThreadTitle } from '../thread/title/thread-title.ts'
import styles from './search-result.module.css'

/** A message that was found. It links to its place in the thread. */
export function SearchResult(props: { edge: searchResult_edge$key }) {
  const { workspaceID } = useParams()
  const today = useToday()
  const { excerpt, node } = useFragment(
    graphql`
      fragment searchResult_edge on MessageSearchEdge {
        excerpt
        node { id createdAt user { name } thread { id isPeristentChat recipients(first: 5) { nodes { __typename } } ...threadTitle_thread } }
      }
    `,
    props.edge,
  )
  const { id, createdAt, user, thread } = node
  if (!thread) return null
  const isDM = thread.isPeristentChat && thread.recipients?.nodes[0]?.__typename === 'User'
  return (
    <Link className={styles.result ?? ''} to={`/${workspaceID}/threads/${thread.id}/${id}`}>
      <Group gap="xs" wrap="nowrap">
        <Text fw={600} size="sm" className={styles.author ?? ''}>
          {user.name}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {isDM ? 'in a direct message with' : 'in'} <ThreadTitle thread={thread} />
        </Text>
        <Text size="xs" c="dimmed" component="time" dateTime={createdAt} className={styles.time ?? ''}>
          {shortTime(createdAt, today)}
        </Text>
      </Group>
      <SafeHTML className={styles.excerpt} dir="auto" html={excerpt} />
    </Link>
  )
}

function ThreadTitle({ thread }: { thread: threadTitle_thread$key }) {
  return useThreadTitle(thread)
}
