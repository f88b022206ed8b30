import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { isBlank } from '../../text/blank.ts'
import { draftPrefix, onStored, readStored, writeStored } from '../session/browser-storage.ts'
import { useViewer } from '../session/viewer.ts'

/**
 * Returns the text of a draft and its setter. Null removes the draft. Otherwise, this browser stores it until the person
 * signs out. All tabs show the same draft. Without a draft, the text is `initial`. `onRemoved` is called when a tab
 * removes the draft.
 */
export function useDraft(
  storageKey: string,
  initial = '',
  onRemoved?: () => void,
): [string, (text: string | null) => void] {
  const key = useStorageKey(storageKey)
  const [first] = useState(initial)
  const text = useSyncExternalStore(onStored, () => readStored(key)) ?? first
  const follow = useEffectEvent((event: StorageEvent) => {
    if (event.key === key && event.newValue === null) onRemoved?.()
  })
  useEffect(() => onStored(follow), [])
  return [text, (value) => writeStored(key, value === '' && first === '' ? null : value)]
}

export function useHasDraft(storageKey: string): boolean {
  const key = useStorageKey(storageKey)
  return useSyncExternalStore(onStored, () => !isBlank(readStored(key) ?? ''))
}

function useStorageKey(storageKey: string): string {
  return `${draftPrefix}${useViewer().id}:${storageKey}`
}
