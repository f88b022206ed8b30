import { graphql, useFragment } from 'react-relay/hooks'
import type { threadTitle_thread$key } from '../../generated/console/threadTitle_thread.graphql.ts'
import { useViewer } from '../session/viewer.ts'
import { isolated } from '../text/isolated.ts'
import { nameList } from '../text/name-list.ts'

/** Returns the subject of a thread, or the names of its other recipients. Returns an empty text without a thread. */
export function useThreadTitle(of: threadTitle_thread$key | null | undefined): string {
  const viewer = useViewer()
  const thread = useFragment(
    graphql`
      fragment threadTitle_thread on Thread {
        subject
        recipients(first: 5) { nodes { id name } pageInfo { hasNextPage } }
      }
    `,
    of,
  )
  if (!thread) return ''
  const { subject, recipients } = thread
  if (subject != null) return isolated(subject)
  const others = recipients?.nodes.filter(({ id }) => id !== viewer.id) ?? []
  const names = others.map(({ name }) => name)
  return nameList(names, recipients?.pageInfo.hasNextPage ? null : 0) || 'Thread'
}
