import type { EventFieldsFragment, EventType } from '../../generated/sdk.ts'
import type { CallOptions } from '../requests/http.ts'

type Fields = EventFieldsFragment
type CommonField = 'id' | 'cursor' | 'createdAt' | 'objectID'
/** The log contains these fields. The other fields show the current state, and are null if it cannot be read. */
type LoggedField = 'threadID' | 'recipientIDs' | 'userIDs' | 'role' | 'emoji'
type ThreadField = 'threadID' | 'thread'

type OwnField = {
  messageCreated: ThreadField | 'message'
  messageUpdated: ThreadField | 'message'
  messageDeleted: ThreadField | 'message'
  messageButtonPressed: ThreadField | 'message' | 'buttonID' | 'user'
  reactionAdded: ThreadField | 'message' | 'emoji' | 'user'
  reactionRemoved: ThreadField | 'message' | 'emoji' | 'user'
  threadCreated: ThreadField
  threadUpdated: ThreadField | 'message' | 'previousSubject'
  recipientsAdded: ThreadField | 'message' | 'recipientIDs'
  recipientsRemoved: ThreadField | 'message' | 'recipientIDs'
  groupCreated: 'group'
  groupUpdated: 'group'
  membersAdded: 'group' | 'userIDs' | 'user'
  membersRemoved: 'group' | 'userIDs'
  memberUpdated: 'group' | 'userIDs' | 'role'
  userCreated: 'user'
  userUpdated: 'user'
  userDeactivated: 'user'
  appInstalled: 'app'
  appUninstalled: 'app'
  webhookCreated: 'webhook'
  webhookUpdated: 'webhook'
  webhookDisabled: 'webhook'
  webhookDeleted: 'webhook'
}

type Logged<Name extends keyof Fields> = { [Field in Name]: NonNullable<Fields[Field]> }

/**
 * An event. Its `type` determines its fields. Objects such as `message` show the current state. They are null if the
 * caller can no longer see them, or lacks the scope that they need. A deleted message has `deletedAt` and no text.
 */
export type SkeinEvent<Type extends EventType = EventType> = {
  [Name in Type]: { type: Name } & Pick<Fields, CommonField | Exclude<OwnField[Name], LoggedField>> &
    Logged<Extract<OwnField[Name], LoggedField>>
}[Type]

/** Which events to follow. */
export type EventsOptions<Type extends EventType = EventType> = Pick<CallOptions, 'signal'> & {
  /** Begins after this cursor. By default, begins at the time of the call. */
  after?: string
  /** Selects types of events. All by default. */
  types?: readonly Type[]
  /** Selects the events of a thread, group chat or DM. */
  threadID?: string
  /** Selects the events of a group, and of the threads that are addressed to it. */
  groupID?: string
}
