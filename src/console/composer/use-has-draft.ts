import { useCallback, useSyncExternalStore } from 'react'
import { isBlank } from '../../text/blank.ts'
import { useViewer } from '../session/viewer.ts'
import { draftPrefix, onStored, readStored } from './storage/browser-storage.ts'

export function useHasDraft(storageKey: string): boolean {
  const key = `${draftPrefix}${useViewer().id}:${storageKey}`
  const subscribe = useCallback((listener: () => void) => onStored(key, listener), [key])
  return useSyncExternalStore(subscribe, () => !isBlank(readStored(key) ?? ''))
}
