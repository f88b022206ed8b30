import { createContext, useContext, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'

/** Whether the page of a workspace is connected to the service. */
export type Connection = {
  /** Calls the listener when the connection is lost or restored. Returns a function that removes it. */
  onChange: (listener: () => void) => () => void
  isConnected: () => boolean
}

export const ConnectionContext = createContext<Connection | null>(null)

export function useIsConnected(): boolean {
  const connection = useContext(ConnectionContext)
  if (!connection) throw new Error('The component is outside of a workspace')
  return useSyncExternalStore(connection.onChange, connection.isConnected)
}

export function useReconnect(onReconnect: () => void): void {
  const isConnected = useIsConnected()
  const wasConnected = useRef(isConnected)
  const reconnected = useEffectEvent(onReconnect)
  useEffect(() => {
    if (isConnected && !wasConnected.current) reconnected()
    wasConnected.current = isConnected
  }, [isConnected])
}
