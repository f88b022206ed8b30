/** Returns the prefix of a workspace's words in the index. It is not unique: statements also check the workspace. */
export function wordPrefixOf(workspaceID: string): string {
  // Without the prefix, words that are frequent in other workspaces would make searches slower.
  return workspaceID.slice(-4)
}

export type FilterFields = {
  threadID?: string | null | undefined
  authorID?: string | null | undefined
  hasAttachment?: boolean | null | undefined
}

/**
 * A query names at most about this many threads, because the index checks all of them for every candidate message. For
 * 250 threads and a common word, queries of 16, 32, 64 and 250 threads took 27, 24, 25 and 49 ms (2026-11-26).
 */
export const maxThreadsPerQuery = 64

export const attachmentToken = 'has_attachment'

/** Returns the tokens by which the index narrows a search. They contain `_`, which no word of a text contains. */
export function filterTokensOf({ threadID, authorID, hasAttachment }: FilterFields): string[] {
  const tokens = [threadID, authorID, hasAttachment ? attachmentToken : undefined]
  return tokens.filter((token) => token != null)
}
