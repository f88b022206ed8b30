import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'react-router'
import { useReconnect } from '../../session/connection.ts'

/** Calls a function when the connection is back, and when the person opens another page. */
export function useRetry(onRetry: () => void): void {
  useReconnect(onRetry)
  useNavigation(onRetry)
  // Requests can fail before the socket notices that the browser is offline.
  useWindowEvent('online', onRetry)
}

function useNavigation(onNavigation: () => void): void {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  const navigated = useEffectEvent(onNavigation)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    navigated()
  }, [pathname])
}
