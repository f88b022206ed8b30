import type { UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { matching, ranking, type SearchQuery } from '../../text/search/query.ts'
import { marksOf, realmOf } from './marks.ts'
import type { SearchFilter } from './search-input.ts'
import type { Threads } from './threads.ts'

/** A search in SQL. `s` are rows of searchable_messages, and `m` their messages. */
export type Search = {
  workspaceID: string
  asked: SearchQuery
  query: Prisma.Sql
  rankedBy: Prisma.Sql
  /** Conditions on `s`, each with an AND before it. */
  within: Prisma.Sql
  /** Conditions on `m`: the message has not changed since it was indexed, and the caller can see it. */
  visible: Prisma.Sql
  threads: Threads
  /** Whether a filter or a handful of threads narrows it. */
  isNarrowed: boolean
}

export function searchFor(
  viewer: UserActor,
  query: SearchQuery,
  filter: SearchFilter,
  threads: Threads,
): Search {
  const { authorID, groupID, hasAttachment } = filter
  const { workspaceID } = viewer
  const realm = realmOf(workspaceID)
  const marks = marksOf({ authorID, hasAttachment: hasAttachment === true }).map((mark) => [mark])
  if (threads.handful) marks.push(threads.handful)
  return {
    workspaceID,
    asked: query,
    query: Prisma.sql`CAST(${matching(query, realm, marks)} AS tsquery)`,
    rankedBy: Prisma.sql`CAST(${ranking(query, realm)} AS tsquery)`,
    within: timeRange(filter),
    visible: Prisma.sql`m.text <> '' AND m.edited_at IS NOT DISTINCT FROM s.edited_at
      ${hasAttachment === false ? Prisma.sql`AND m.attachment_count = 0` : Prisma.empty}
      ${groupID == null ? Prisma.empty : Prisma.sql`AND ${names(groupID)}`} AND EXISTS (
        SELECT FROM visible_threads
        WHERE viewer_id = ${viewer.userID} AND workspace_id = m.workspace_id AND id = m.thread_id OFFSET 0)`,
    threads,
    isNarrowed: Object.values(filter).some((value) => value != null) || threads.handful !== undefined,
  }
}

function timeRange({ createdAfter, createdBefore }: SearchFilter): Prisma.Sql {
  const moment = (time: Date) => Prisma.sql`CAST(${time.toISOString()} AS timestamptz(3))`
  return Prisma.sql`
    ${createdAfter ? Prisma.sql`AND s.created_at > ${moment(createdAfter)}` : Prisma.empty}
    ${createdBefore ? Prisma.sql`AND s.created_at < ${moment(createdBefore)}` : Prisma.empty}`
}

// A condition: the thread of `m` is the chat of a group, or names it.
function names(groupID: string): Prisma.Sql {
  return Prisma.sql`(EXISTS (
      SELECT FROM recipients r
      WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = ${groupID} OFFSET 0)
    OR EXISTS (
      SELECT FROM threads t
      WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = ${groupID} OFFSET 0))`
}
