type Endpoint = { state: string; failingSince: string | null | undefined }

/** Returns the state of an endpoint in one word. */
export function endpointState({ state, failingSince }: Endpoint): string {
  if (state === 'paused') return 'Paused'
  if (state === 'disabled') return 'Disabled'
  return failingSince ? 'Failing' : 'Active'
}
