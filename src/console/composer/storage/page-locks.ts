import { newKey } from '../../relay/new-key.ts'

/** Identifies this page. A page in another tab has another ID, and so has this page after a reload. */
export const pageID = newKey()

// Browsers have locks only on https and localhost.
const locks: LockManager | undefined = navigator.locks
export const hasLocks = locks !== undefined
const waiting = new Set<string>()
const nameOf = (id: string) => `skein-page-${id}`

// The browser releases the lock when the page is closed or reloaded.
locks?.request(nameOf(pageID), () => new Promise(() => {}))

let isClosed = false
window.addEventListener('pagehide', () => {
  isClosed = true
})
window.addEventListener('pageshow', () => {
  isClosed = false
})

/** Returns whether the person has closed, reloaded or left this page. Its script can run for some milliseconds more. */
export function isPageClosed(): boolean {
  return isClosed
}

/**
 * Calls a function after a page was closed or reloaded. If several tabs wait for the same page, their functions run one
 * after another: each starts when the promise of the previous function is settled. If the browser has no locks, calls
 * the function immediately. Does nothing if a function with the same page ID and `purpose` is already waiting.
 */
export function whenClosed(id: string, purpose: string, run: () => unknown): void {
  const name = `${id} ${purpose}`
  if (waiting.has(name)) return
  if (!locks) {
    run()
    return
  }
  waiting.add(name)
  locks.request(nameOf(id), () => {
    waiting.delete(name)
    return run()
  })
}
