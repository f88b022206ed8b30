import { useEffect, useEffectEvent, useState } from 'react'
import { useViewer } from '../session/viewer.ts'
import { draftPrefix, onStored, readStored, writeStored } from './storage/browser-storage.ts'

/**
 * Returns the text of a draft and its setter. This browser stores the draft until it is sent or the person signs out.
 * All tabs show the same draft. Without a draft, the text is `initial`. `onRemoved` is called if another tab removes
 * the draft.
 */
export function useDraft(
  storageKey: string,
  initial = '',
  onRemoved?: () => void,
): [string, (text: string) => void] {
  const key = `${draftPrefix}${useViewer().id}:${storageKey}`
  const [first] = useState(initial)
  const [text, setText] = useState(() => readStored(key) ?? first)
  const follow = useEffectEvent((value: string | null) => {
    setText(value ?? first)
    if (value === null) onRemoved?.()
  })
  useEffect(() => onStored(key, follow), [key])
  const change = (value: string) => {
    setText(value)
    const stored = value === first ? null : value
    writeStored(key, stored)
    // The browser sends this event only to other tabs, but lists on this page also show which threads have a draft.
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: stored }))
  }
  return [text, change]
}
