import { useViewer } from '../../session/viewer.ts'
import { outboxPrefix } from '../storage/browser-storage.ts'
import { usePageValue } from '../storage/page-values.ts'
import { outboxes } from './kept-outboxes.ts'

export function useHasUnsent(storageKey: string): boolean {
  const storedAs = `${outboxPrefix}${useViewer().id}:${storageKey}`
  return usePageValue(outboxes(storedAs)).some(({ problem }) => problem !== null)
}
