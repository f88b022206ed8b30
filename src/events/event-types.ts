export const eventTypes = [
  'message.created',
  'message.updated',
  'message.deleted',
  'message.buttonPressed',
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

/** The details of a change. The current rows do not contain these details. */
export type EventDetails = {
  /** The user who reacted or pressed a button, the user who added the members, or the app user of the app that was uninstalled. */
  userID?: string
  emoji?: string
  buttonID?: string
  /** The members who were added or removed, or the member who has a new role. */
  userIDs?: string[]
  recipientIDs?: string[]
  role?: 'admin' | 'member'
  previousSubject?: string | null
}
