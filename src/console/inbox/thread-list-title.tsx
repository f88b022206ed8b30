import { usePageTitle } from '../workspace/page-title.ts'

/** Names the browser's tab after the list. While a thread is open, the thread names it. */
export function ThreadListTitle({ title }: { title: string }) {
  usePageTitle(title)
  return null
}
