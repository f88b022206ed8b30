/** Leaves for the sign-in page, which returns here. Never resolves, so that nothing else reports the failure. */
export function leaveSignedOut(): void {
  location.assign(`/signin?continue=${encodeURIComponent(location.pathname + location.search)}`)
}
