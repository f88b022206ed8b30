/** What an operation costs, beside what is in `fieldPoints`. docs/api.md tells callers. */
export const points = {
  operation: 1,
  /** Of a change: a transaction, and what it leads to. */
  mutation: 20,
  node: 1,
  value: 0.1,
  /** Of a document that is not cached, to parse and validate it. */
  character: 0.2,
} as const

/** What fields cost that take more than to read a value. */
const fieldPoints: Record<string, Record<string, number>> = {
  Query: { searchMessages: 2000 },
  Message: { html: 20, mentions: 20 },
  MessageSearchEdge: { excerpt: 10 },
}

/** What one field costs wherever it is answered, beside its value. */
export function pointsOf(type: string | undefined, field: string): number {
  if (type === undefined) return 0
  return type === 'Mutation' ? points.mutation : (fieldPoints[type]?.[field] ?? 0)
}
