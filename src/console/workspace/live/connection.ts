import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Socket } from '../../relay/socket.ts'

export const SocketContext = createContext<Socket | null>(null)

export function useIsConnected(): boolean {
  const socket = useContext(SocketContext)
  if (!socket) throw new Error('The component is outside of a workspace')
  return useSyncExternalStore(socket.onChange, socket.isConnected)
}
