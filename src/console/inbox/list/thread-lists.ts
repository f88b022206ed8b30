import type { RecordProxy } from 'relay-runtime'
import type { ThreadFilter } from '../../../generated/console/filteredThreadsQuery.graphql.ts'

export type ThreadListName = 'all' | 'personal' | 'failed' | 'followed' | 'dms' | 'group'

type StoredList = {
  /** The key and the arguments of the Relay connection. */
  connection: string
  args?: { filter: ThreadFilter | null }
  /** Returns whether a changed thread belongs to the list. */
  includes: (thread: RecordProxy) => boolean
}

export const directMessages = { kind: 'dm' } as const satisfies ThreadFilter

/** What concerns the person. */
export const ownThreads = { mine: true } as const satisfies ThreadFilter

/** DMs, and threads with unread messages that mention the person. */
export const personalThreads = { personal: true } as const satisfies ThreadFilter

export const failedThreads = { mine: true, state: 'failed' } as const satisfies ThreadFilter

/** Returns whether a listed thread concerns the person and has failed. */
export function isFailed({ state, isMine }: { state?: string | null | undefined; isMine: boolean }): boolean {
  return isMine && state === failedThreads.state
}

export const followedThreads = { followed: true } as const satisfies ThreadFilter

/** The threads of a group, without its chat. */
export function groupThreads(groupID: string) {
  return { groupID, kind: 'thread' } as const satisfies ThreadFilter
}

export function failedGroupThreads(groupID: string) {
  return { ...groupThreads(groupID), state: 'failed' } as const satisfies ThreadFilter
}

/** Returns the lists in the Relay store that a thread can be in. */
export function threadListsOf(thread: RecordProxy): readonly StoredList[] {
  const groups = recipientsOf(thread).filter((recipient) => recipient.getType() === 'Group')
  return [...threadLists, ...groups.flatMap((group) => listsOfGroup(group.getDataID()))]
}

function isDM(thread: RecordProxy): boolean {
  return thread.getValue('kind') === directMessages.kind
}

function listsOfGroup(groupID: string): StoredList[] {
  const connection = 'useThreads_threads'
  const isPlain = (thread: RecordProxy) => thread.getValue('isPeristentChat') === false
  return [
    { connection, args: { filter: groupThreads(groupID) }, includes: isPlain },
    {
      connection,
      args: { filter: failedGroupThreads(groupID) },
      includes: (thread) => isPlain(thread) && thread.getValue('state') === failedThreads.state,
    },
  ]
}

/** Returns the recipients in the store: up to 100 from an operation that returns so many, or up to five from another one. */
function recipientsOf(thread: RecordProxy): RecordProxy[] {
  const recipients =
    thread.getLinkedRecord('recipients', { first: 100 }) ?? thread.getLinkedRecord('recipients', { first: 5 })
  return recipients?.getLinkedRecords('nodes') ?? []
}

function isPersonal(thread: RecordProxy): boolean {
  return isDM(thread) || Number(thread.getValue('unreadMentionCount')) > 0
}

const listsByFilter = new Map<ThreadFilter, StoredList['includes']>([
  [ownThreads, (thread) => thread.getValue('isMine') === true],
  [personalThreads, isPersonal],
  [
    failedThreads,
    (thread) => thread.getValue('isMine') === true && thread.getValue('state') === failedThreads.state,
  ],
  [followedThreads, (thread) => thread.getValue('isFollowed') === true],
  [directMessages, isDM],
])

const threadLists: readonly StoredList[] = [
  ...[...listsByFilter].map(([filter, includes]) => ({
    connection: 'useThreads_threads',
    args: { filter },
    includes,
  })),
  {
    connection: 'inboxThreads_unread',
    includes: (thread) =>
      thread.getValue('isMine') === true &&
      thread.getValue('isMuted') === false &&
      Number(thread.getValue('unreadCount')) > 0,
  },
  {
    connection: 'inboxThreads_mentions',
    includes: (thread) => thread.getValue('isMine') === false && isPersonal(thread),
  },
  { connection: 'sideDirectMessages_threads', includes: isDM },
]
