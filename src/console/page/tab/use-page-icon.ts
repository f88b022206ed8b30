import { useEffect } from 'react'

const icon = (dot: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1864ab"/><path d="M22 9c-9-4-15 4-6 7s3 11-6 7" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>${dot}</svg>`
const dot = '<circle cx="25" cy="7" r="7" fill="#e03131" stroke="#fff" stroke-width="2"/>'

/** Sets the icon of the browser's tab. A dot means that a thread is unread. */
export function usePageIcon(hasUnread: boolean): void {
  useEffect(() => {
    const url = `data:image/svg+xml,${encodeURIComponent(icon(hasUnread ? dot : ''))}`
    document.querySelector('link[rel=icon]')?.setAttribute('href', url)
  }, [hasUnread])
}
