import { useState } from 'react'

/** `isChanged`: the form has unsaved changes. `isSaved`: it has been saved, and has not changed since. */
export type EditState = { isChanged: boolean; isSaved: boolean }

/**
 * Holds the changes that a person makes in a form. `current` has the values that the service has now. Fields that the
 * person has not changed show these values. The form sends only `changed`.
 */
export function useEdited<V extends object>(current: V) {
  const [edits, setEdits] = useState<Partial<V>>({})
  const [hasSaved, setHasSaved] = useState(false)
  const changed = differences(edits, current)
  const isChanged = Object.keys(changed).length > 0
  return {
    values: { ...current, ...changed } as V,
    changed,
    change: (changes: Partial<V>) => setEdits((before) => differences({ ...before, ...changes }, current)),
    /** Call this when the service has saved these changes. Keeps what the person has typed since they were sent. */
    markSaved: (sent: Partial<V>) => {
      setEdits((before) => differences(before, sent))
      setHasSaved(true)
    },
    state: { isChanged, isSaved: hasSaved && !isChanged },
  }
}

/** Returns the values that differ from the values of another object. */
function differences<V extends object>(values: Partial<V>, other: Partial<V>): Partial<V> {
  const entries = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name as keyof V]),
  )
  return Object.fromEntries(entries) as Partial<V>
}
