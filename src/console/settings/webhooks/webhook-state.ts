type Webhook = { disabledAt: string | null | undefined; expiresAt: string | null | undefined }

/** Returns why a webhook does not accept calls, or undefined if it does. */
export function stoppedState({ disabledAt, expiresAt }: Webhook): 'Disabled' | 'Expired' | undefined {
  if (disabledAt) return 'Disabled'
  return expiresAt && new Date(expiresAt) <= new Date() ? 'Expired' : undefined
}
