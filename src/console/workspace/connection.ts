import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Socket } from '../relay/socket.ts'

export const SocketContext = createContext<Socket | null>(null)

export function useSocket(): Socket {
  const socket = useContext(SocketContext)
  if (!socket) throw new Error('The component is outside of a workspace')
  return socket
}

/** Returns false while the connection to the service is lost. */
export function useIsConnected(): boolean {
  const { onChange, isConnected } = useSocket()
  return useSyncExternalStore(onChange, isConnected)
}
