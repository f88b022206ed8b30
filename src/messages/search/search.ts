import type { UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { matching, ranking, type SearchQuery } from '../../text/search/query.ts'
import { filterTokensOf, wordPrefixOf } from './filter-tokens.ts'
import type { SearchFilter } from './search-input.ts'
import type { SearchedThreads } from './searched-threads.ts'

/** A search in SQL. `s` is a row of searchable_messages, and `m` is its message. */
export type Search = {
  workspaceID: string
  tsquery: Prisma.Sql
  rankTsquery: Prisma.Sql
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
  const { authorID, groupID, hasAttachment } = filter
  const { workspaceID } = viewer
  const wordPrefix = wordPrefixOf(workspaceID)
  const filterTokens = filterTokensOf({ authorID, hasAttachment: hasAttachment === true }).map((token) => [
    token,
  ])
  if (threads.ids) filterTokens.push(threads.ids)
  return {
    workspaceID,
    tsquery: Prisma.sql`CAST(${matching(searchQuery, wordPrefix, filterTokens)} AS tsquery)`,
    rankTsquery: Prisma.sql`CAST(${ranking(searchQuery, wordPrefix)} AS tsquery)`,
    documentConditions: timeRange(filter),
    messageConditions: Prisma.sql`m.text <> '' AND m.edited_at IS NOT DISTINCT FROM s.edited_at
      ${hasAttachment === false ? Prisma.sql`AND m.attachment_count = 0` : Prisma.empty}
      ${groupID == null ? Prisma.empty : Prisma.sql`AND ${isAddressedTo(groupID)}`} AND EXISTS (
        SELECT FROM visible_threads
        WHERE viewer_id = ${viewer.userID} AND workspace_id = m.workspace_id AND id = m.thread_id OFFSET 0)`,
    threads,
  }
}

function timeRange({ createdAfter, createdBefore }: SearchFilter): Prisma.Sql {
  const moment = (time: Date) => Prisma.sql`CAST(${time.toISOString()} AS timestamptz(3))`
  return Prisma.sql`
    ${createdAfter ? Prisma.sql`AND s.created_at > ${moment(createdAfter)}` : Prisma.empty}
    ${createdBefore ? Prisma.sql`AND s.created_at < ${moment(createdBefore)}` : Prisma.empty}`
}

function isAddressedTo(groupID: string): Prisma.Sql {
  return Prisma.sql`(EXISTS (
      SELECT FROM recipients r
      WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = ${groupID} OFFSET 0)
    OR EXISTS (
      SELECT FROM threads t
      WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = ${groupID} OFFSET 0))`
}
