import { Group, Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { searchResult_edge$key } from '../../generated/console/searchResult_edge.graphql.ts'
import { shortTime } from '../text/time.ts'
import styles from './search-result.module.css'
import { ThreadTitle } from './thread-title-text.tsx'

/** A message that was found. It leads into the conversation. */
export function SearchResult(props: { edge: searchResult_edge$key }) {
  const { workspaceID } = useParams()
  const { excerpt, node } = useFragment(
    graphql`
      fragment searchResult_edge on MessageSearchEdge {
        excerpt
        node { id createdAt user { name } thread { id ...threadTitle_thread } }
      }
    `,
    props.edge,
  )
  const { id, createdAt, user, thread } = node
  if (!thread) return null
  return (
    <Link className={styles.result ?? ''} to={`/${workspaceID}/threads/${thread.id}/${id}`}>
      <Group gap="xs" wrap="nowrap">
        <Text fw={600} size="sm" className={styles.author ?? ''}>
          {user.name}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          in <ThreadTitle thread={thread} />
        </Text>
        <Text size="xs" c="dimmed" component="time" dateTime={createdAt} className={styles.time ?? ''}>
          {shortTime(createdAt)}
        </Text>
      </Group>
      <div className={styles.excerpt} dangerouslySetInnerHTML={{ __html: excerpt }} />
    </Link>
  )
}
