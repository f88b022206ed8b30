import type { EventType } from '../../src/generated/resolver-types.ts'

/**
 * Who may hear of a thread or group: everyone in the workspace, or the insiders of a private group. The rover comes and
 * goes: it is sometimes a member of another private group (`visitors`), or a recipient of a thread (`guests`).
 */
export type Audience = 'everyone' | 'insiders' | 'visitors' | 'guests'

/** When something happened. The times are in milliseconds. */
export type Interval = { startedAt: number; endedAt: number }

/** After `unknown`, the change may have been made, or may still be made. `refused` means that it was not made. */
export type Outcome = 'acknowledged' | 'unknown' | 'refused'

/** A change that a writer requested. `endedAt` is infinite if the outcome is unknown. */
export type Change = Interval & {
  type: EventType
  audience: Audience
  outcome: Outcome
  /**
   * The ID of the object that changed. If recipients changed, the ID of the thread. A writer does not know the ID if
   * the outcome is unknown.
   */
  objectID?: string | undefined
  /** The text of the message. No other change has the same text. */
  text?: string
  emoji?: string
  /** Changes with the same key concern the same object. */
  key?: string
  /** The change has a version. It changes nothing if a higher version came first. */
  isOrdered?: boolean
}

/** What a call says about its message and its thread. */
export type OrderedCall = Interval & {
  /** 0 if the call has none. */
  version: number
  messageID: string
  threadID: string
  text: string
  state: string | null
  threadState?: string | undefined
  threadClosed?: boolean | 'keep' | undefined
  /** An attempt had no answer. Therefore the call may have been applied several times. */
  isRepeated: boolean
}

/** The calls of all senders for the messages of a thread that one key identifies. Each was acknowledged. */
export type OrderedThread = { key: string; workspaceID: string; audience: Audience; calls: OrderedCall[] }

export type SeenEvent = {
  id: string
  type: EventType
  cursor: string
  objectID: string
  threadID: string | null
  emoji: string | null
  userIDs: string[] | null
  recipientIDs: string[] | null
} & Shown

/** What an event showed of its message and its thread when it was read. */
export type Shown = {
  message?: { id: string; text: string; state: string | null } | null
  thread?: { state: string | null; closedAt: string | null } | null
}

/** An event, or the end of a page. The reader continues after this position. */
export type Observation = {
  at: number
  position: number
  event?: SeenEvent
  /** When the page was requested, and whether the log had no later event. */
  page?: { requestedAt: number; isLast: boolean }
}

/** The rover became present or absent at some time in the interval. */
export type Turn = Interval & { isPresent: boolean }

/** Whether a reader can hear the events of an audience: always, never, or at some times, as the turns say. */
export type Access = { [audience in Audience]: boolean | readonly Turn[] }

/** A client that hears events, and the events that it can hear. */
export type Hearer = {
  name: string
  workspaceID: string
  userID: string
  access: Access
  /** The subscription or query is limited to this thread. */
  threadID?: string
}

export type Reader = Hearer & { observations: Observation[] }

/** A request with an event, which the receiver accepted. */
export type Receipt = { at: number; eventID: string } & Shown

/** An endpoint to which events are sent. */
export type Receiver = Hearer & { receipts: Receipt[] }

/** All events of a workspace after a position. A reader that can hear all of them reads them after the run. */
export type Log = { workspaceID: string; after: number; events: SeenEvent[] }

export type StoredMessage = {
  id: string
  text: string
  state: string | null
  position: number
  deletedAt: string | null
}

export type StoredThread = {
  id: string
  workspaceID: string
  state: string | null
  closedAt: string | null
  messages: StoredMessage[]
}

/** The messages that a search for a word found after the run. */
export type Search = { reader: string; workspaceID: string; access: Access; word: string; foundIDs: string[] }

/** A reader marked a thread as read up to a message. */
export type ReadMark = { messageID: string; outcome: Outcome }

/** The read state of the thread after the run. */
export type ReadState = { threadID: string; marks: ReadMark[]; readUpTo: number; unreadCount: number }

export type History = {
  changes: Change[]
  ordered: OrderedThread[]
  logs: Log[]
  readers: Reader[]
  receivers: Receiver[]
  threads: StoredThread[]
  searches: Search[]
  readState: ReadState
  /** Answers that no fault explains. */
  surprises: string[]
}
