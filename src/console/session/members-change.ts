import { useThrottledCallback } from '@mantine/hooks'
import { useEffect } from 'react'

const pauseMs = 1000

const listeners = new Set<(groupID: string | undefined) => void>()

/** Tells listeners that the members of a group have changed. No ID means the people of the workspace. */
export function announceMembers(groupID?: string): void {
  for (const listener of listeners) listener(groupID)
}

/**
 * Calls a function when the members of a group or the people of the workspace change, at most once a second. The
 * members of the General group change together with the people, without an event for the group.
 */
export function useMembersChange(groupID: string, onChange: () => void): void {
  const changed = useThrottledCallback(onChange, pauseMs)
  useEffect(() => {
    const listener = (changedID: string | undefined) => {
      if (changedID === undefined || changedID === groupID) changed()
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [groupID, changed])
}
