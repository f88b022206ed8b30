import type { RecordProxy } from 'relay-runtime'
import type { ThreadFilter } from '../../../generated/console/filteredThreadsQuery.graphql.ts'

export type ThreadListName = 'all' | 'unread' | 'failed' | 'dms'

type StoredList = {
  /** The key and the arguments of the Relay connection. */
  connection: string
  args?: { filter: ThreadFilter | null }
  /** Returns whether a changed thread belongs to the list. */
  includes: (thread: RecordProxy) => boolean
}

export const directMessages = { kind: 'dm' } as const satisfies ThreadFilter

export const failedThreads = { state: 'failed' } as const satisfies ThreadFilter

/** The threads of a group, without its chat. */
export function groupThreads(groupID: string) {
  return { groupID, kind: 'thread' } as const satisfies ThreadFilter
}

/** Returns the lists in the Relay store that a thread can be in. */
export function threadListsOf(thread: RecordProxy): readonly StoredList[] {
  const groups = recipientsOf(thread).filter((recipient) => recipient.getType() === 'Group')
  return [...threadLists, ...groups.map((group) => listOfGroup(group.getDataID()))]
}

function listOfGroup(groupID: string): StoredList {
  return {
    connection: 'useThreads_threads',
    args: { filter: groupThreads(groupID) },
    includes: (thread) => thread.getValue('isPeristentChat') === false,
  }
}

/** Returns the recipients in the store: up to 100 from an operation that returns so many, or up to five from another one. */
function recipientsOf(thread: RecordProxy): RecordProxy[] {
  const recipients =
    thread.getLinkedRecord('recipients', { first: 100 }) ?? thread.getLinkedRecord('recipients', { first: 5 })
  return recipients?.getLinkedRecords('nodes') ?? []
}

const threadLists: readonly StoredList[] = [
  { connection: 'useThreads_threads', args: { filter: null }, includes: () => true },
  {
    connection: 'inboxThreads_unread',
    includes: (thread) => Number(thread.getValue('unreadCount')) > 0,
  },
  {
    connection: 'useThreads_threads',
    args: { filter: failedThreads },
    includes: (thread) => thread.getValue('state') === failedThreads.state,
  },
  {
    connection: 'useThreads_threads',
    args: { filter: directMessages },
    includes: (thread) =>
      thread.getValue('isPeristentChat') === true &&
      thread.getLinkedRecord('recipients', { first: 5 })?.getLinkedRecords('nodes')?.[0]?.getType() ===
        'User',
  },
]
