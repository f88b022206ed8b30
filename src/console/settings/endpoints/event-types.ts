import type { EventType } from '../../../generated/console/endpointSectionFormMutation.graphql.ts'

const threadTypes: [EventType, string][] = [
  ['messageCreated', 'Message sent'],
  ['messageUpdated', 'Message changed'],
  ['messageDeleted', 'Message deleted'],
  ['messageButtonPressed', 'Button pressed'],
  ['reactionAdded', 'Reaction added'],
  ['reactionRemoved', 'Reaction removed'],
  ['threadCreated', 'Thread created'],
  ['threadUpdated', 'Thread changed'],
  ['recipientsAdded', 'Recipients added'],
  ['recipientsRemoved', 'Recipients removed'],
]

const workspaceTypes: [EventType, string][] = [
  ['groupCreated', 'Group created'],
  ['groupUpdated', 'Group changed'],
  ['membersAdded', 'Members added'],
  ['membersRemoved', 'Members removed'],
  ['memberUpdated', 'Role of a member changed'],
  ['userCreated', 'User created'],
  ['userUpdated', 'User changed'],
  ['userDeactivated', 'User deactivated'],
  ['appInstalled', 'App installed'],
  ['appUninstalled', 'App uninstalled'],
  ['webhookCreated', 'Webhook created'],
  ['webhookUpdated', 'Webhook changed or enabled'],
  ['webhookDisabled', 'Webhook disabled'],
  ['webhookDeleted', 'Webhook deleted'],
]

const labels = new Map<string, string>([...threadTypes, ...workspaceTypes])

/** The types of events that an endpoint can select. The endpoint of a webhook receives only events of threads. */
export function typeOptions(isWebhook: boolean) {
  const types = isWebhook ? threadTypes : [...threadTypes, ...workspaceTypes]
  return types.map(([value, label]) => ({ value, label }))
}

export function typeLabel(type: string): string {
  return labels.get(type) ?? type
}

/** Returns the label of a delivery. Only a test event has no type. */
export function deliveryLabel(type: string | null | undefined): string {
  return type ? typeLabel(type) : 'Test event'
}

type Endpoint = { state: string; failingSince: string | null | undefined }

export function endpointState({ state, failingSince }: Endpoint): string {
  if (state === 'paused') return 'Paused'
  if (state === 'disabled') return 'Disabled'
  return failingSince ? 'Failing' : 'Active'
}
