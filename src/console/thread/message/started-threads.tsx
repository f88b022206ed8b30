import { graphql, useFragment } from 'react-relay/hooks'
import { Link } from 'react-router'
import type { RecordProxy } from 'relay-runtime'
import type { startedThreads_message$key } from '../../../generated/console/startedThreads_message.graphql.ts'
import type { startedThreads_thread$key } from '../../../generated/console/startedThreads_thread.graphql.ts'
import { Icon } from '../../page/icon.tsx'
import { StateMark } from '../../page/state-mark.tsx'
import { useThreadPath } from '../../page/use-thread-path.ts'
import { useThreadTitle } from '../thread-title.ts'
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
  const threadPath = useThreadPath()
  const thread = useFragment(
    graphql`fragment startedThreads_thread on Thread { id messageCount state ...threadTitle_thread }`,
    props.thread,
  )
  const title = useThreadTitle(thread)
  const count = thread.messageCount ?? 0
  return (
    <Link className={styles.link} to={threadPath(thread.id)}>
      <Icon name="reply" size={16} />
      <span>
        Thread: <StateMark state={thread.state} />
        {title} ({count === 1 ? '1 message' : `${count} messages`})
      </span>
    </Link>
  )
}

/** The arguments with which `StartedThreads` selects the threads. */
const args = { first: 5 }

/** Adds a new thread to the threads that were started from a message, if this message is loaded. The oldest come first. */
export function listStartedThread(thread: RecordProxy | null | undefined): void {
  const started = thread?.getLinkedRecord('fromMessage')?.getLinkedRecord('startedThreads', args)
  const listed = started?.getLinkedRecords('nodes') ?? []
  if (!thread || !started || listed.length >= args.first) return
  if (listed.some((other) => other.getDataID() === thread.getDataID())) return
  started.setLinkedRecords([...listed, thread], 'nodes')
}
