import { useThrottledCallback } from '@mantine/hooks'
import { useEffect } from 'react'

const pauseMs = 1000

const listeners = new Set<() => void>()

/** Tells listeners that a thread has changed that concerns or mentions the person. */
export function announceChange(): void {
  for (const listener of listeners) listener()
}

/** Calls a function when a thread changes that concerns or mentions the person, at most once a second. */
export function useInboxChange(onChange: () => void): void {
  const changed = useThrottledCallback(onChange, pauseMs)
  useEffect(() => {
    listeners.add(changed)
    return () => void listeners.delete(changed)
  }, [changed])
}
