import type { MutableRecordSource } from 'relay-runtime'

export type Records = Pick<MutableRecordSource, 'get' | 'getRecordIDs'>

/** What a thread adds to the numbers of what is unread, and to the dots of groups. */
export type ThreadPart = {
  threads: number
  directMessages: number
  mentions: number
  /** The groups that have a dot because of the thread. */
  groupIDs: readonly string[]
  /** Whether the thread may have more groups, because only its first recipients are loaded. */
  hasMoreGroups: boolean
  isMine: boolean
}

/** The counts of `UnreadCounts`, and of a part. */
export const numbers = ['threads', 'directMessages', 'mentions'] as const

const noGroups = { groupIDs: [], hasMoreGroups: false }
export const noPart: ThreadPart = { threads: 0, directMessages: 0, mentions: 0, ...noGroups, isMine: false }

type ThreadRecord = {
  kind?: string
  isMine?: boolean
  isMuted?: boolean
  unreadCount?: number | null
  unreadMentionCount?: number | null
  createdAt?: string
  lastActivityAt?: string
}

function recordOf(source: Records, id: string): ThreadRecord {
  return (source.get(id) as ThreadRecord | null | undefined) ?? {}
}

/** Returns when a thread began, and when it was last active, in milliseconds, or 0 if this is not loaded. */
export function timesOf(source: Records, id: string): { began: number; lastActivity: number } {
  const { createdAt = 0, lastActivityAt = 0 } = recordOf(source, id)
  return { began: new Date(createdAt).getTime(), lastActivity: new Date(lastActivityAt).getTime() }
}

/** Returns the part of a thread, or undefined if the source does not have all that it depends on. */
export function partOf(source: Records, id: string): ThreadPart | undefined {
  const { kind, isMine, isMuted, unreadCount, unreadMentionCount } = recordOf(source, id)
  if (kind === undefined || isMine === undefined || isMuted === undefined) return undefined
  if (unreadCount === undefined || unreadMentionCount === undefined) return undefined
  const counted = isMine && !isMuted ? (unreadCount ?? 0) : 0
  const isUnread = kind !== 'dm' && counted > 0
  return {
    threads: isUnread ? 1 : 0,
    directMessages: kind === 'dm' ? counted : 0,
    mentions: unreadMentionCount ?? 0,
    isMine,
    ...(isUnread ? groupsOf(source, id) : noGroups),
  }
}

type Links = { __ref: string } & { __refs: string[] }
const fewest = 5

/** Reads up to 100 recipients from an operation that selects so many, or up to five from another one. */
function groupsOf(source: Records, id: string): Pick<ThreadPart, 'groupIDs' | 'hasMoreGroups'> {
  const thread = source.get<Links>(id)
  const all = thread?.['recipients(first:100)']
  const link = all ?? thread?.[`recipients(first:${fewest})`]
  const refs = link ? (source.get<Links>(link.__ref)?.nodes?.__refs ?? []) : []
  return {
    groupIDs: refs.filter((ref) => ref.startsWith('grp_')),
    hasMoreGroups: !all && refs.length >= fewest,
  }
}
