import type { Attention } from './reference.ts'

/** Asks for everything that a person is told about what concerns them, in workspaces of at most 100 threads. */
export const attentionQuery = `{
  viewer { unread { threads directMessages mentions } mentions(unread: true, first: 100) { nodes { id } } }
  threads(filter: { mine: true }, first: 100) { nodes { id unreadCount unreadMentionCount } }
  unread: threads(filter: { mine: true, unread: true }, first: 100) { nodes { id } }
  groups(first: 100) { nodes { id hasUnread } }
}`

type Nodes<Node> = { nodes: Node[] }
export type AttentionData = {
  viewer: {
    unread: { threads: number; directMessages: number; mentions: number }
    mentions: Nodes<{ id: string }>
  }
  threads: Nodes<{ id: string; unreadCount: number; unreadMentionCount: number }>
  unread: Nodes<{ id: string }>
  groups: Nodes<{ id: string; hasUnread: boolean }>
}

/** Returns the answer to the query in the form of the reference. */
export function attentionIn({ viewer, threads, unread, groups }: AttentionData): Attention {
  const { threads: threadCount, directMessages, mentions } = viewer.unread
  return {
    threads: Object.fromEntries(
      threads.nodes.map(({ id, unreadCount, unreadMentionCount }) => [id, [unreadCount, unreadMentionCount]]),
    ),
    unreadThreads: sortedIDs(unread),
    groups: sortedIDs({ nodes: groups.nodes.filter(({ hasUnread }) => hasUnread) }),
    mentions: sortedIDs(viewer.mentions),
    unread: [threadCount, directMessages, mentions],
  }
}

function sortedIDs({ nodes }: Nodes<{ id: string }>): string[] {
  return nodes.map(({ id }) => id).sort()
}
