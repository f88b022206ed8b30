import type { RecordProxy } from 'relay-runtime'
import type { ThreadFilter } from '../../generated/console/threadListQuery.graphql.ts'

type ThreadListKind = {
  filter: ThreadFilter | null
  /** Whether a thread that just changed belongs to the list. */
  includes: (thread: RecordProxy) => boolean
  empty: string
}

/** The lists of threads. Each has its own connection in the Relay store. */
export const threadLists = {
  all: {
    filter: null,
    includes: () => true,
    empty: 'There are no threads yet. Start one with “New message”.',
  },
  unread: {
    filter: { unread: true },
    includes: (thread) => Number(thread.getValue('unreadCount')) > 0,
    empty: 'You have read everything.',
  },
  dms: {
    filter: { kind: 'dm' },
    includes: (thread) =>
      thread.getValue('isPeristentChat') === true &&
      thread.getLinkedRecord('recipients', { first: 5 })?.getLinkedRecords('nodes')?.[0]?.getType() ===
        'User',
    empty: 'There are no direct messages yet. Choose a person above to write to.',
  },
} satisfies Record<string, ThreadListKind>

export type ThreadListName = keyof typeof threadLists
