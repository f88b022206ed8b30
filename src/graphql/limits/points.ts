/** docs/limits.md documents these prices. */
export const points = {
  operation: 1,
  /** Pays for a transaction and the work that follows it. */
  mutation: 20,
  node: 1,
  value: 0.1,
  /** The price of a character of a document that is not cached. It pays for parsing and validation. */
  character: 0.2,
} as const

/** A query without lists that costs at most this many points needs no slot. It reads a few rows by their IDs. */
export const cheapPoints = 2

const fieldPoints: Record<string, Record<string, number>> = {
  Query: { searchMessages: 2000, events: 50, latestEventCursor: 5, __schema: 50, __type: 50 },
  Viewer: { unread: 50, mentions: 50 },
  Group: { hasUnread: 1 },
  Message: { html: 20, mentions: 20 },
  MessageSearchEdge: { excerpt: 10 },
  WebhookCall: { body: 10, query: 10, preview: 10_000 },
}

/** Returns the price of one occurrence of a field, without the price of its value. */
export function pointsOf(type: string | undefined, field: string): number {
  if (type === undefined) return 0
  return type === 'Mutation' ? points.mutation : (fieldPoints[type]?.[field] ?? 0)
}
