import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { startedThreads_message$key } from '../../../generated/console/startedThreads_message.graphql.ts'
import type { startedThreads_thread$key } from '../../../generated/console/startedThreads_thread.graphql.ts'
import { useThreadTitle } from '../title/thread-title.ts'
import styles from './started-threads.module.css'

export function StartedThreads(props: { message: startedThreads_message$key }) {
  const { startedThreads } = useFragment(
    graphql`
      fragment startedThreads_message on Message {
        startedThreads(first: 5) { nodes { id ...startedThreads_thread } }
      }
    `,
    props.message,
  )
  return startedThreads?.nodes.map((thread) => <StartedThread key={thread.id} thread={thread} />)
}

function StartedThread(props: { thread: startedThreads_thread$key }) {
  const { workspaceID } = useParams()
  const thread = useFragment(
    graphql`fragment startedThreads_thread on Thread { id messageCount ...threadTitle_thread }`,
    props.thread,
  )
  const title = useThreadTitle(thread)
  const count = thread.messageCount ?? 0
  return (
    <Link className={styles.link} to={`/${workspaceID}/threads/${thread.id}`}>
      Thread: {title} ({count === 1 ? '1 message' : `${count} messages`})
    </Link>
  )
}
