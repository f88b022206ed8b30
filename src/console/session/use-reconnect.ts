import { useEffect, useEffectEvent, useRef } from 'react'
import { useIsConnected } from './connection.ts'

export function useReconnect(onReconnect: () => void): void {
  const isConnected = useIsConnected()
  const wasConnected = useRef(isConnected)
  const reconnected = useEffectEvent(onReconnect)
  useEffect(() => {
    if (isConnected && !wasConnected.current) reconnected()
    wasConnected.current = isConnected
  }, [isConnected])
}
