export const [draftPrefix, outboxPrefix] = ['skein:draft:', 'skein:outbox:']

/** What this browser does not store, because it does not allow storage or has no space. This page keeps it. */
const unstored = new Map<string, string>()

export function readStored(key: string): string | null {
  return unstored.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null
}

/** Stores a value in this browser. Null removes it. */
export function writeStored(key: string, value: string | null): void {
  unstored.delete(key)
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    if (value !== null) unstored.set(key, value)
  }
  // The browser sends this event only to other tabs.
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: value }))
}

/** Calls the listener when this page or another tab changes a stored value. */
export function onStored(listener: (event: StorageEvent) => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

export function storedKeys(prefix: string): string[] {
  const stored = attempt(() => Object.keys(localStorage)) ?? []
  return [...new Set([...stored, ...unstored.keys()])].filter((key) => key.startsWith(prefix))
}

/**
 * Removes the drafts and the messages that were not sent, because another person may use this browser next. The
 * response to a sign-out also removes them with the Clear-Site-Data header, but browsers ignore this header without
 * HTTPS.
 */
export function forgetWriting(): void {
  for (const key of [draftPrefix, outboxPrefix].flatMap(storedKeys)) writeStored(key, null)
  attempt(() => sessionStorage.clear())
}

/** Returns the result of a function, or undefined if it throws. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
