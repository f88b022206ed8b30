import type { threadTitle_thread$key } from '../../../generated/console/threadTitle_thread.graphql.ts'
import { useThreadTitle } from './thread-title.ts'

/** The title of a thread as text. */
export function ThreadTitle({ thread }: { thread: threadTitle_thread$key }) {
  return useThreadTitle(thread)
}
