import { useEffect } from 'react'
import { useViewer } from '../session/viewer.ts'
import { countText } from './unread-mark.tsx'

/** Sets the title of the browser's tab while the page is shown. The number of unread DMs and mentions comes first. */
export function usePageTitle(title: string): void {
  const { unreadCount } = useViewer()
  useEffect(() => {
    document.title = `${unreadCount > 0 ? `(${countText(unreadCount)}) ` : ''}${title} · Skein`
    // Until the next page is loaded, and if it cannot be loaded, the tab must not name the previous page.
    return () => {
      document.title = 'Skein'
    }
  }, [title, unreadCount])
}
