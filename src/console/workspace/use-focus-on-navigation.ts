import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Moves the focus into the content after a navigation, unless the focus is already on something visible there. */
export function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    const { activeElement } = document
    const isInContent = main.current?.contains(activeElement) && activeElement?.checkVisibility()
    if (!isInContent) main.current?.focus({ preventScroll: true })
  }, [main, pathname])
}
