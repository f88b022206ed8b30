type Endpoint = { state: string; failingSince: string | null | undefined }

export function endpointState({ state, failingSince }: Endpoint): string {
  if (state === 'paused') return 'Paused'
  if (state === 'disabled') return 'Disabled'
  return failingSince ? 'Failing' : 'Active'
}
