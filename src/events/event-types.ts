/** Every type of event, as the log stores it and as outbound webhooks name it. */
export const eventTypes = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.added',
  'reaction.removed',
  'thread.created',
  'thread.updated',
  'recipients.added',
  'recipients.removed',
  'group.created',
  'group.updated',
  'members.added',
  'members.removed',
  'member.updated',
  'user.created',
  'user.updated',
  'user.deactivated',
  'app.installed',
  'app.uninstalled',
  'webhook.created',
  'webhook.updated',
  'webhook.disabled',
  'webhook.deleted',
] as const

export type EventType = (typeof eventTypes)[number]

/** What the current rows no longer show. */
export type EventDetails = {
  /** Who reacted, and with what. */
  userID?: string
  emoji?: string
  /** Which members or recipients were added or removed. */
  userIDs?: string[]
  recipientIDs?: string[]
  role?: 'admin' | 'member'
  previousSubject?: string | null
}
