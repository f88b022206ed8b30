import { useEffect, useRef } from 'react'
import { useViewer } from '../../session/viewer.ts'
import { filesPrefix, readStored, writeStored } from '../storage/browser-storage.ts'
import { pageID, whenClosed } from '../storage/page-locks.ts'
import { type PageValue, pageValues, usePageValue } from '../storage/page-values.ts'

const lostFiles = pageValues(() => 0)

/**
 * Counts the files that were attached before a reload or in a tab that was closed, and were not attached again. This
 * browser stores only their number.
 */
export function useLostFiles(storageKey: string, attached: number) {
  const key = `${filesPrefix}${useViewer().id}:${storageKey}`
  const lost = lostFiles(key)
  const count = usePageValue(lost)
  const before = useRef(attached)
  useEffect(() => takeOver(key, lost), [key, lost])
  useEffect(() => {
    const added = Math.max(0, attached - before.current)
    before.current = attached
    lost.set(Math.max(0, lost.get() - added))
  }, [lost, attached])
  const total = count + attached
  useEffect(() => writeCount(key, pageID, total), [key, total])
  return { count, forget: () => lost.set(0) }
}

/** Adds the counts of the pages that are closed to the count of this page. */
function takeOver(key: string, lost: PageValue<number>): void {
  for (const id of Object.keys(readCounts(key))) {
    if (id === pageID) continue
    whenClosed(id, key, () => {
      const { [id]: count = 0 } = readCounts(key)
      writeCount(key, id, 0)
      lost.set(lost.get() + count)
    })
  }
}

/** Returns the number of attached files for each page ID. */
function readCounts(key: string): Record<string, number> {
  try {
    return { ...JSON.parse(readStored(key) ?? '{}') }
  } catch {
    return {}
  }
}

function writeCount(key: string, id: string, count: number): void {
  const { [id]: _, ...others } = readCounts(key)
  const counts = count > 0 ? { ...others, [id]: count } : others
  writeStored(key, Object.keys(counts).length > 0 ? JSON.stringify(counts) : null)
}
