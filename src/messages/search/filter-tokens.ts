/**
 * Returns the prefix of every word in a workspace's documents, so that words that are frequent in other workspaces
 * cost nothing. Two workspaces can share a prefix, so statements check the workspace, too.
 */
export function realmOf(workspaceID: string): string {
  return workspaceID.slice(-4)
}

export type MarkedFields = {
  threadID?: string | null | undefined
  authorID?: string | null | undefined
  hasAttachment?: boolean | null | undefined
}

/** How many threads one query names, because the index checks each of them for every candidate message. */
export const threadsAtOnce = 64

export const attachmentMark = 'has_attachment'

/** Returns the marks by which the index narrows a search. They contain `_`, which no word of a text does. */
export function marksOf({ threadID, authorID, hasAttachment }: MarkedFields): string[] {
  const marks = [threadID, authorID, hasAttachment ? attachmentMark : undefined]
  return marks.filter((mark) => mark != null)
}
