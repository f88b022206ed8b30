import { useEffect, useState } from 'react'

/** The group that the person was added to. `adderName` is null if the operator added them. */
export type Addition = { groupID: string; groupName: string; adderName: string | null }
type Change = (additions: readonly Addition[]) => readonly Addition[]

const listeners = new Set<(change: Change) => void>()

function announce(change: Change): void {
  for (const listener of listeners) listener(change)
}

const without = (groupID: string) => (additions: readonly Addition[]) =>
  additions.filter((addition) => addition.groupID !== groupID)

export function announceAddition(addition: Addition): void {
  announce((additions) => [...without(addition.groupID)(additions), addition])
}

/** Removes an addition, because the person has seen it, or is no longer a member of the group. */
export function retractAddition(groupID: string): void {
  announce(without(groupID))
}

/** Returns the groups that others have added the person to while the page was open, and that were not retracted. */
export function useAdditions(): readonly Addition[] {
  const [additions, setAdditions] = useState<readonly Addition[]>([])
  useEffect(() => {
    listeners.add(setAdditions)
    return () => void listeners.delete(setAdditions)
  }, [])
  return additions
}
