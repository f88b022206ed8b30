/** What a search can be narrowed by, of a message or of a search. */
export type Marked = {
  workspaceID: string
  threadID?: string | null | undefined
  authorID?: string | null | undefined
  hasAttachment?: boolean | null | undefined
}

/** As many threads are named to the index at a time: it looks at each of them for each message that comes into question. */
export const threadsAtOnce = 64

/** In every document of a message that has attachments. */
export const attachmentMark = 'has_attachment'

/**
 * What stands in the document of a message among its words, for the index to narrow a search by. No word of a text has
 * a `_`.
 */
export function marksOf({ workspaceID, threadID, authorID, hasAttachment }: Marked): string[] {
  const marks = [workspaceID, threadID, authorID, hasAttachment ? attachmentMark : undefined]
  return marks.filter((mark) => mark != null)
}
