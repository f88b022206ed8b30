/**
 * What each word of a document begins with, for the index to keep the words of workspaces apart: what is looked for in
 * one costs nothing for how often it is said in the others. Two may share it, so it decides nothing.
 */
export function realmOf(workspaceID: string): string {
  return workspaceID.slice(-4)
}

/** What a search can be narrowed by, of a message or of a search. */
export type Marked = {
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
export function marksOf({ threadID, authorID, hasAttachment }: Marked): string[] {
  const marks = [threadID, authorID, hasAttachment ? attachmentMark : undefined]
  return marks.filter((mark) => mark != null)
}
