import { newKey } from '../../relay/new-key.ts'

/** Identifies this page. A page in another tab has another ID, and so has this page after a reload. */
export const pageID = newKey()

// Browsers have locks only on https and localhost.
const locks: LockManager | undefined = navigator.locks
const waiting = new Set<string>()
const nameOf = (id: string) => `skein-page-${id}`

// The browser releases the lock when the page is closed or reloaded.
locks?.request(nameOf(pageID), () => new Promise(() => {}))

/**
 * Calls a function after a page was closed or reloaded. If the browser has no locks, calls it immediately. Does nothing
 * if a function with the same page ID and `purpose` is already waiting.
 */
export function whenClosed(id: string, purpose: string, run: () => void): void {
  const name = `${id} ${purpose}`
  if (waiting.has(name)) return
  if (!locks) {
    run()
    return
  }
  waiting.add(name)
  locks.request(nameOf(id), () => {
    waiting.delete(name)
    run()
  })
}
