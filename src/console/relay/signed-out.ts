/**
 * Opens the sign-in page. It returns to the current page after the person has signed in. The promise never settles, so
 * that this page shows no error until then.
 */
export function leaveSignedOut(): Promise<never> {
  location.assign(`/signin?continue=${encodeURIComponent(location.pathname + location.search)}`)
  return new Promise(() => {})
}
