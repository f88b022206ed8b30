import { graphql, useFragment } from 'react-relay/hooks'
import type { threadTitle_thread$key } from '../../generated/console/threadTitle_thread.graphql.ts'
import { useViewer } from '../workspace/viewer.ts'

/** Returns the subject of a thread, or the names of its other recipients. */
export function useThreadTitle(thread: threadTitle_thread$key): string {
  const viewer = useViewer()
  const { subject, recipients } = useFragment(
    graphql`
      fragment threadTitle_thread on Thread { subject recipients(first: 5) { nodes { id name } } }
    `,
    thread,
  )
  const others = recipients?.nodes.filter(({ id }) => id !== viewer.id) ?? []
  return subject ?? (others.map(({ name }) => name).join(', ') || 'Thread')
}
