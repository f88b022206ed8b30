import { useSyncExternalStore } from 'react'
import { outboxPrefix, storedKeys, writeStored } from '../storage/browser-storage.ts'
import { hasLocks, pageID } from '../storage/page-locks.ts'
import { pageValues } from '../storage/page-values.ts'
import { type Outgoing, storedMessages } from './outgoing.ts'

const closedProblem = 'The page was closed before the service answered. You can safely try again.'

/** The messages of each composer that are not in their thread yet. Sending continues while the person visits other threads. */
export const outboxes = pageValues(storedMessages)

// This page may be sending messages of a composer that it does not show.
window.addEventListener('storage', ({ key }) => {
  if (key?.startsWith(outboxPrefix)) followStored(key)
})

const listeners = new Set<() => void>()

export function replaceItems(storedAs: string, next: readonly Outgoing[]): void {
  const outbox = outboxes(storedAs)
  // Another tab may have added messages.
  const own = new Set([...outbox.get(), ...next].map(({ key }) => key))
  const stored = [...storedMessages(storedAs).filter(({ key }) => !own.has(key)), ...next]
  outbox.set(next)
  writeStored(storedAs, stored.length > 0 ? JSON.stringify(stored) : null)
  for (const listener of listeners) listener()
}

export function updateItem(storedAs: string, key: string, fields: Partial<Outgoing>): void {
  const items = outboxes(storedAs).get()
  replaceItems(
    storedAs,
    items.map((item) => (item.key === key ? { ...item, ...fields } : item)),
  )
}

export function removeItem(storedAs: string, key: string): void {
  replaceItems(
    storedAs,
    outboxes(storedAs)
      .get()
      .filter((item) => item.key !== key),
  )
}

/** Applies the changes that other tabs have made to the stored messages. */
export function followStored(storedAs: string): void {
  const outbox = outboxes(storedAs)
  outbox.set(withStored(outbox.get(), storedAs))
}

/** Returns the keys, without the prefix, of a person's outboxes that have a message that could not be sent. */
export function useUnsentKeys(viewerID: string, workspaceID: string): readonly string[] {
  const prefix = `${outboxPrefix}${viewerID}:`
  const keys = useSyncExternalStore(onChange, () =>
    storedKeys(`${prefix}${workspaceID}:`)
      .filter((storedAs) => storedMessages(storedAs).some(({ problem }) => problem !== null))
      .join('\n'),
  )
  return keys === '' ? [] : keys.split('\n').map((storedAs) => storedAs.slice(prefix.length))
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/**
 * Makes this page the sender of the messages that a closed page was sending, and returns them. Without locks, the other
 * page may still be open. Therefore, the messages count as failed instead, and the person can send them again.
 */
export function takeOver(storedAs: string, page: string): readonly Outgoing[] {
  const current = withStored(outboxes(storedAs).get(), storedAs)
  const change = hasLocks ? { page: pageID } : { problem: closedProblem }
  const taken = current
    .filter((item) => item.page === page && item.problem === null)
    .map((item) => ({ ...item, ...change, mayHaveArrived: true }))
  if (taken.length === 0) return []
  const changed = new Map(taken.map((item) => [item.key, item]))
  replaceItems(
    storedAs,
    current.map((item) => changed.get(item.key) ?? item),
  )
  return hasLocks ? taken : []
}

/**
 * Returns the stored messages, which another tab may have sent, added or changed. A message that this page is sending
 * keeps the state that it has on this page.
 */
function withStored(items: readonly Outgoing[], storedAs: string): readonly Outgoing[] {
  const sending = new Map(items.filter(isSending).map((item) => [item.key, item]))
  const stored = storedMessages(storedAs).map((item) => sending.get(item.key) ?? item)
  const own = new Set(stored.map(({ key }) => key))
  return [...stored, ...[...sending.values()].filter(({ key }) => !own.has(key))]
}

function isSending({ problem, page }: Outgoing): boolean {
  return problem === null && page === pageID
}
