import { usePageTitle } from '../page/tab/use-page-title.ts'

/** Sets the title of the tab to the name of the list. While a thread is open, the thread sets the title. */
export function ThreadListTitle({ title }: { title: string }) {
  usePageTitle(title)
  return null
}
