import { useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useLocation } from 'react-router'

/** On a phone, the menu covers the page. It closes with Escape, and when another page opens. */
export function usePhoneMenu() {
  const { pathname } = useLocation()
  const [isOpened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const [lastPath, setLastPath] = useState(pathname)
  if (pathname !== lastPath) {
    setLastPath(pathname)
    setOpened(false)
  }
  useWindowEvent('keydown', ({ key, defaultPrevented }) => {
    if (key !== 'Escape' || defaultPrevented || !isOpened) return
    setOpened(false)
    button.current?.focus()
  })
  return { isOpened, button, toggle: () => setOpened(!isOpened) }
}
