import { useSyncExternalStore } from 'react'
import { outboxPrefix, storedKeys, writeStored } from '../storage/browser-storage.ts'
import { pageID, whenClosed } from '../storage/page-locks.ts'
import { pageValues } from '../storage/page-values.ts'
import { type Outgoing, storedMessages } from './outgoing.ts'

const closedProblem = 'The page was closed before the service answered. You can safely try again.'

/** The messages of each composer that are not in their thread yet. Sending continues while the person visits other threads. */
export const outboxes = pageValues(storedMessages)

const listeners = new Set<() => void>()

/** Stores the messages of a composer. */
export function replaceItems(storedAs: string, next: readonly Outgoing[]): void {
  const outbox = outboxes(storedAs)
  // Another tab may have added messages.
  const own = new Set([...outbox.get(), ...next].map(({ key }) => key))
  const stored = [...storedMessages(storedAs).filter(({ key }) => !own.has(key)), ...next]
  outbox.set(next)
  writeStored(storedAs, stored.length > 0 ? JSON.stringify(stored) : null)
  for (const listener of listeners) listener()
}

/** Applies the changes that other tabs have made to the stored messages. */
export function followStored(storedAs: string): void {
  const outbox = outboxes(storedAs)
  outbox.set(withStored(outbox.get(), storedAs))
  noticeClosed(storedAs)
}

/**
 * Returns the keys of a person's outboxes in a workspace, without the prefix. Only includes outboxes with a message
 * that could not be sent.
 */
export function useUnsentKeys(viewerID: string, workspaceID: string): readonly string[] {
  const prefix = `${outboxPrefix}${viewerID}:`
  const keys = useSyncExternalStore(onChange, () =>
    storedKeys(`${prefix}${workspaceID}:`)
      .filter((storedAs) => storedMessages(storedAs).some(({ problem }) => problem !== null))
      .join('\n'),
  )
  return keys === '' ? [] : keys.split('\n').map((storedAs) => storedAs.slice(prefix.length))
}

/** Calls the listener when messages of this or another tab change. */
function onChange(listener: () => void): () => void {
  const follow = () => {
    for (const storedAs of storedKeys(outboxPrefix)) noticeClosed(storedAs)
    listener()
  }
  follow()
  listeners.add(listener)
  window.addEventListener('storage', follow)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', follow)
  }
}

/**
 * When another page is closed, marks the messages that it was sending as not sent. The person can then send them again.
 */
function noticeClosed(storedAs: string): void {
  for (const { key, page, problem } of storedMessages(storedAs)) {
    if (problem !== null || page === pageID) continue
    whenClosed(page, `${storedAs} ${key}`, () => {
      const isItem = (item: Outgoing) => item.key === key && item.page === page && item.problem === null
      const current = withStored(outboxes(storedAs).get(), storedAs)
      const closed = { problem: closedProblem, mayHaveArrived: true }
      if (!current.some(isItem)) return
      replaceItems(
        storedAs,
        current.map((item) => (isItem(item) ? { ...item, ...closed } : item)),
      )
    })
  }
}

/** Another tab may have sent, added or changed messages. The messages that this page is sending take precedence. */
function withStored(items: readonly Outgoing[], storedAs: string): readonly Outgoing[] {
  const sending = new Map(items.filter(isSending).map((item) => [item.key, item]))
  const stored = storedMessages(storedAs).map((item) => sending.get(item.key) ?? item)
  const own = new Set(stored.map(({ key }) => key))
  return [...stored, ...[...sending.values()].filter(({ key }) => !own.has(key))]
}

function isSending({ problem, page }: Outgoing): boolean {
  return problem === null && page === pageID
}
