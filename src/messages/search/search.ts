import type { UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { matching, ranking, type SearchQuery } from '../../platform/search/query.ts'
import { visibleThreads } from '../../threads/access.ts'
import { marksOf, realmOf } from './marks.ts'
import type { SearchFilter } from './search-input.ts'
import type { Threads } from './threads.ts'

/** A search in terms of SQL, where `s` are rows of searchable_messages, `m` their messages and `t` the threads of those. */
export type Search = {
  workspaceID: string
  /** What the words of a document must match. */
  query: Prisma.Sql
  /** What it is ranked by. */
  rankedBy: Prisma.Sql
  /** Conditions on `s`, each with an AND before it. */
  within: Prisma.Sql
  /** Conditions on `m` and `t`: the message is still as it was indexed, and the caller may see it. */
  visible: Prisma.Sql
  threads: Threads
  hasPrefix: boolean
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
    query: Prisma.sql`CAST(${matching(query, realm, marks)} AS tsquery)`,
    rankedBy: Prisma.sql`CAST(${ranking(query, realm)} AS tsquery)`,
    within: timeRange(filter),
    visible: Prisma.sql`m.text <> '' AND m.edited_at IS NOT DISTINCT FROM s.edited_at
      ${hasAttachment === false ? Prisma.sql`AND m.attachment_count = 0` : Prisma.empty}
      ${groupID == null ? Prisma.empty : Prisma.sql`AND ${names(groupID)}`} AND ${visibleThreads(viewer)}`,
    threads,
    hasPrefix: query.all.flat().some(({ isPrefix }) => isPrefix),
  }
}

function timeRange({ createdAfter, createdBefore }: SearchFilter): Prisma.Sql {
  const moment = (time: Date) => Prisma.sql`CAST(${time.toISOString()} AS timestamptz(3))`
  return Prisma.sql`
    ${createdAfter ? Prisma.sql`AND s.created_at > ${moment(createdAfter)}` : Prisma.empty}
    ${createdBefore ? Prisma.sql`AND s.created_at < ${moment(createdBefore)}` : Prisma.empty}`
}

/** Whether `t` is the chat of a group or names it. */
function names(groupID: string): Prisma.Sql {
  return Prisma.sql`(t.chat_group_id = ${groupID} OR EXISTS (
    SELECT FROM recipients r
    WHERE r.workspace_id = t.workspace_id AND r.thread_id = t.id AND r.recipient_id = ${groupID}))`
}
