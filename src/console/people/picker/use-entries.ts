import { useEffect, useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { type DirectoryEntry, knownEntries, loadEntries } from '../directory.ts'

type Entries = {
  known: ReadonlyMap<string, DirectoryEntry>
  isLoading: boolean
  /** The IDs that do not exist, or that the person cannot see. */
  absent: readonly string[]
}

/** Returns the users and groups with these IDs that are already known, and loads the others. */
export function useEntries(ids: readonly string[]): Entries {
  const environment = useRelayEnvironment()
  const known = knownEntries(environment)
  // For each ID, whether the service answered.
  const [asked, setAsked] = useState<ReadonlyMap<string, boolean>>(new Map())
  const unknown = ids.filter((id) => !known.has(id))
  const missing = unknown.filter((id) => !asked.has(id)).join()
  useEffect(() => {
    if (missing === '') return
    const missingIDs = missing.split(',')
    const done = (isAnswered: boolean) =>
      setAsked((before) => new Map([...before, ...missingIDs.map((id) => [id, isAnswered] as const)]))
    // If the names cannot be loaded, the IDs are shown.
    loadEntries(environment, missingIDs).then(
      () => done(true),
      () => done(false),
    )
  }, [environment, missing])
  return { known, isLoading: missing !== '', absent: unknown.filter((id) => asked.get(id)) }
}
