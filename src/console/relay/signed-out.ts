const otherTabs = new BroadcastChannel('skein-signed-out')
otherTabs.onmessage = leaveSignedOut
let isLeaving = false

// With “Back”, the browser can show this page again as it was, with its messages.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && isLeaving) location.reload()
})

/** Whether this page ends its own session, and so opens the sign-in page itself. */
export function isSigningOut(): boolean {
  return isLeaving
}

/** Opens the sign-in page in all tabs, after the session has ended. They then show no messages. */
export function leaveInAllTabs(): Promise<never> {
  otherTabs.postMessage(null)
  return leaveSignedOut()
}

/** Ends the session of this browser. The other tabs also open the sign-in page. */
export async function signOut(): Promise<void> {
  isLeaving = true
  const body = new URLSearchParams({ session: 'current' })
  const answer = await fetch('/account/sessions/end', { method: 'POST', body }).catch(() => undefined)
  if (answer?.ok) otherTabs.postMessage(null)
  location.assign('/signin')
}

/**
 * Opens the sign-in page. It returns to the current page after the person has signed in. The promise never settles, so
 * that this page shows no error until then.
 */
export function leaveSignedOut(): Promise<never> {
  if (!isLeaving)
    location.assign(`/signin?continue=${encodeURIComponent(location.pathname + location.search)}`)
  return new Promise(() => {})
}
