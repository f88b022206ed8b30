import { useViewer } from '../../workspace/viewer.ts'
import { outboxPrefix } from '../storage/browser-storage.ts'
import { usePageValue } from '../storage/page-values.ts'
import { outboxes } from './kept-outboxes.ts'

/** Returns whether a message of a composer could not be sent. */
export function useHasUnsent(storageKey: string): boolean {
  const storedAs = `${outboxPrefix}${useViewer().id}:${storageKey}`
  return usePageValue(outboxes(storedAs)).some(({ problem }) => problem !== null)
}
