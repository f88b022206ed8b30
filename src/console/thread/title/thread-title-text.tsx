import type { threadTitle_thread$key } from '../../../generated/console/threadTitle_thread.graphql.ts'
import { useThreadTitle } from './thread-title.ts'

export function ThreadTitle({ thread }: { thread: threadTitle_thread$key }) {
  return useThreadTitle(thread)
}
