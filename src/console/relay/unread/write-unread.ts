import type { RecordSourceProxy } from 'relay-runtime'
import { numbers, type ThreadPart } from './thread-part.ts'

/** A number of this size means that there may be more. */
const most = 1000

export type Change = { former: ThreadPart; part: ThreadPart }

/**
 * Adds changes to the numbers and the dots of groups in the store. `known` are the present parts of the threads that the
 * page knows. Returns false if this is not enough to know all numbers and dots.
 */
export function writeUnread(
  store: RecordSourceProxy,
  changes: readonly Change[],
  known: readonly ThreadPart[],
): boolean {
  const unread = store.getRoot().getLinkedRecord('viewer')?.getLinkedRecord('unread')
  if (!unread) return false
  const isCounted = numbers.map((name) => {
    const before = Number(unread.getValue(name))
    const after = changes.reduce((sum, { former, part }) => sum + part[name] - former[name], before)
    unread.setValue(Math.min(Math.max(after, 0), most), name)
    return after >= 0 && (before < most || after >= before)
  })
  const unreadParts = known.filter(({ threads }) => threads > 0)
  const knowsAll = unreadParts.length === unread.getValue('threads')
  return writeDots(store, changes, { unreadParts, knowsAll }) && isCounted.every(Boolean)
}

type Unread = { unreadParts: readonly ThreadPart[]; knowsAll: boolean }

function writeDots(
  store: RecordSourceProxy,
  changes: readonly Change[],
  { unreadParts, knowsAll }: Unread,
): boolean {
  const lit = new Set(unreadParts.flatMap(({ groupIDs }) => groupIDs))
  for (const { part } of changes)
    for (const id of part.groupIDs) if (lit.has(id)) store.get(id)?.setValue(true, 'hasUnread')
  const dark = changes.flatMap(({ former }) => former.groupIDs).filter((id) => !lit.has(id))
  if (knowsAll) for (const id of dark) store.get(id)?.setValue(false, 'hasUnread')
  const endsMore = changes.some(({ former, part }) => former.hasMoreGroups && part.threads === 0)
  if (knowsAll) return !endsMore && !unreadParts.some(({ hasMoreGroups }) => hasMoreGroups)
  return dark.length === 0 && !endsMore
}
