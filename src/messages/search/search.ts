import type { UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { matching, ranking, type SearchQuery } from '../../text/search/query.ts'
import { filterTokensOf, wordPrefixOf } from './filter-tokens.ts'
import type { SearchFilter } from './search-input.ts'
import type { SearchedThreads } from './searched-threads.ts'

/** A search in SQL. `s` is a row of searchable_messages, and `m` is its message. */
export type Search = {
  workspaceID: string
  tsquery: string
  rankTsquery: string
  /** Conditions on `s`, each with an AND before it. */
  documentConditions: Prisma.Sql
  /** Conditions on `m`: it has not changed since it was indexed, matches the filter, and is visible to the caller. */
  messageConditions: Prisma.Sql
  threads: SearchedThreads
}

export function searchFor(
  viewer: UserActor,
  searchQuery: SearchQuery,
  filter: SearchFilter,
  threads: SearchedThreads,
): Search {
  const { authorID, hasAttachment } = filter
  const { workspaceID } = viewer
  const wordPrefix = wordPrefixOf(workspaceID)
  const filterTokens = filterTokensOf({ authorID, hasAttachment: hasAttachment === true }).map((token) => [
    token,
  ])
  if (threads.ids) filterTokens.push(threads.ids)
  return {
    workspaceID,
    tsquery: matching(searchQuery, wordPrefix, filterTokens),
    rankTsquery: ranking(searchQuery, wordPrefix),
    documentConditions: isInTimeOf(filter),
    messageConditions: isVisibleTo(viewer, filter),
    threads,
  }
}

function isInTimeOf({ createdAfter, createdBefore }: SearchFilter): Prisma.Sql {
  return Prisma.sql`
    AND s.created_at > CAST(${createdAfter?.toISOString() ?? '-infinity'} AS timestamptz(3))
    AND s.created_at < CAST(${createdBefore?.toISOString() ?? 'infinity'} AS timestamptz(3))`
}

function isVisibleTo({ userID }: UserActor, { groupID = null, hasAttachment }: SearchFilter): Prisma.Sql {
  return Prisma.sql`m.text <> '' AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND (${hasAttachment !== false} OR m.attachment_count = 0)
    AND (${groupID === null} OR EXISTS (
      SELECT FROM recipients r
      WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = ${groupID} OFFSET 0
    ) OR EXISTS (
      SELECT FROM threads t
      WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = ${groupID} OFFSET 0
    ))
    AND EXISTS (
      SELECT FROM visible_threads
      WHERE viewer_id = ${userID} AND workspace_id = m.workspace_id AND id = m.thread_id OFFSET 0)`
}
