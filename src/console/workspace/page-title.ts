import { useEffect } from 'react'
import { useViewer } from './viewer.ts'

/** Sets the title of the browser's tab. The number of unread threads comes first. */
export function usePageTitle(title: string): void {
  const { unreadThreadCount } = useViewer()
  useEffect(() => {
    document.title = `${unreadThreadCount > 0 ? `(${unreadThreadCount}) ` : ''}${title} · Skein`
  }, [title, unreadThreadCount])
}
