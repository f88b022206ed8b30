import { useEffect, useRef } from 'react'

/**
 * Tracks which messages a tab of this browser has shown, in a thread or as a notification. Calls `onShown` when
 * another tab shows a message.
 */
export function useOtherTabs(onShown: (messageID: string) => void) {
  const shown = useRef(new Set<string>())
  const channel = useRef<BroadcastChannel>(undefined)
  useEffect(() => {
    const opened = new BroadcastChannel('skein-shown-messages')
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      shown.current.add(data)
      onShown(data)
    }
    channel.current = opened
    return () => opened.close()
  }, [onShown])
  return useRef({
    isShown: (messageID: string) => shown.current.has(messageID),
    show: (messageID: string) => {
      shown.current.add(messageID)
      channel.current?.postMessage(messageID)
    },
  }).current
}
