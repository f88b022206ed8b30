export const [draftPrefix, outboxPrefix, filesPrefix] = ['skein:draft:', 'skein:outbox:', 'skein:files:']

const writingPrefixes = [draftPrefix, outboxPrefix, filesPrefix]

/** Reads a value that this browser stores. Returns null if the browser does not allow storage. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a value in this browser. Null removes it. Does nothing if the browser does not allow storage. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {}
}

/** Calls the listener when another tab changes a stored value, or this page changes a draft. */
export function onStored(key: string, listener: (value: string | null) => void): () => void {
  const receive = (event: StorageEvent) => {
    if (event.key === key) listener(event.newValue)
  }
  window.addEventListener('storage', receive)
  return () => window.removeEventListener('storage', receive)
}

export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

/**
 * Removes the drafts and the messages that were not sent, because another person may use this browser next. The
 * response to a sign-out also removes them with the Clear-Site-Data header, but browsers ignore this header without
 * HTTPS.
 */
export function forgetWriting(): void {
  for (const key of writingPrefixes.flatMap(storedKeys)) writeStored(key, null)
}
