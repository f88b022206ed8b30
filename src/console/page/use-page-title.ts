import { useEffect } from 'react'
import { useViewer } from '../session/viewer.ts'

/** Sets the title of the browser's tab while the page is shown. The number of unread threads comes first. */
export function usePageTitle(title: string): void {
  const { unreadThreadCount } = useViewer()
  useEffect(() => {
    document.title = `${unreadThreadCount > 0 ? `(${unreadThreadCount}) ` : ''}${title} · Skein`
    // Until the next page is loaded, and if it cannot be loaded, the tab must not name the previous page.
    return () => {
      document.title = 'Skein'
    }
  }, [title, unreadThreadCount])
}
