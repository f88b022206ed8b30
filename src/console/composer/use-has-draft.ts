import { useCallback, useSyncExternalStore } from 'react'
import { isBlank } from '../../text/blank.ts'
import { useViewer } from '../session/viewer.ts'
import { outboxes } from './outbox/kept-outboxes.ts'
import { draftPrefix, onStored, outboxPrefix, readStored } from './storage/browser-storage.ts'
import { usePageValue } from './storage/page-values.ts'

export function useHasDraft(storageKey: string): boolean {
  const key = `${draftPrefix}${useViewer().id}:${storageKey}`
  const subscribe = useCallback((listener: () => void) => onStored(key, listener), [key])
  return useSyncExternalStore(subscribe, () => !isBlank(readStored(key) ?? ''))
}

export function useHasUnsent(storageKey: string): boolean {
  const storedAs = `${outboxPrefix}${useViewer().id}:${storageKey}`
  return usePageValue(outboxes(storedAs)).some(({ problem }) => problem !== null)
}
